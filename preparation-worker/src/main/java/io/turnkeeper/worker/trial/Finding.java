package io.turnkeeper.worker.trial;

/** A violation that a trial found. */
record Finding(Violation violation, String what) {}
