package io.turnkeeper.worker.fence;

import io.turnkeeper.core.FailureCode;

/** Why something was not done. */
record Refusal(FailureCode code, String message) {}
