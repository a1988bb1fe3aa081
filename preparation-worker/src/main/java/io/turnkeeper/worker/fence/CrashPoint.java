package io.turnkeeper.worker.fence;

/**
 * Told of every step of a commit before the next one begins, so that a test can stop or kill the
 * process exactly there.
 */
@FunctionalInterface
public interface CrashPoint {
  /** Does nothing at any step. */
  CrashPoint NONE = step -> {};

  /** The steps of a fenced commit, in their order. */
  enum Step {
    /** The turn is held; nothing is written under it. */
    TURN_TAKEN,
    /** The manifest lies in its durable place; the authority knows nothing of it. */
    STAGED,
    /** The authority recorded the version; plain readers do not see it. */
    COMMITTED,
    /** The version is in the table. */
    MATERIALISED
  }

  /** Called on the thread that does the step, which may be a native one. */
  void reached(Step step);
}
