package io.turnkeeper.core;

/** Anything the rules can conclude from one journal entry, in the imperative. */
public interface Decision {}
