package io.turnkeeper.core;

/** Anything that can stand in a journal: a fact, in the past tense. */
public interface Event {}
