package io.turnkeeper.worker.trial;

/** The steps of a publication at which its holder can be stopped. */
enum HolderStep {
  /** The turn is granted and not taken. */
  GRANTED,
  /** It is taken; Lance was not asked to commit. */
  TURN_TAKEN,
  /** Inside the call of the namespace: staged, and the authority was not asked. */
  STAGED,
  /** Somewhere between being staged and the answer. */
  BETWEEN,
  /** Inside the call: the authority made the version real, and readers do not see it. */
  COMMITTED,
  /** Inside the call: it is visible, and Lance has no answer yet. */
  MATERIALISED,
  /** After it all. */
  REPORTED;

  /** Whether nothing can be committed yet when the holder is stopped there. */
  boolean isBeforeTheCommit() {
    return compareTo(BETWEEN) < 0;
  }

  /** The step at which the holder waits to be stopped. */
  HolderStep waitsAt() {
    return this == BETWEEN ? STAGED : this;
  }
}
