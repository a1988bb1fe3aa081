package io.turnkeeper.simulation.plan;

/**
 * Everything that the outside can do to a fleet. Nothing goes wrong unless one of these says so.
 */
public enum ActionKind {
  /** A writer seals some generations and says so. */
  SEAL(400, false),
  /** A writer seals a generation and dies before it says so; another takes over. */
  SEAL_UNTOLD(8, true),
  /** A writer seals with a clock that is far off. */
  SEAL_MISDATED(4, true),
  /** A sealed generation cannot be read. */
  BAD_GENERATION(2, true),
  /** A sealed generation is gone: a hole in the shard. */
  HOLE(2, true),
  /** An operator leaves out what cannot be read. */
  SKIP_BAD(6, false),
  /** A data file of the table is gone. */
  FILE_LOST(2, true),
  /** The table is dropped and registered anew under the same name. */
  RECREATE(1, true),
  /** Somebody registers the table's directory under a second name. */
  SECOND_ID(1, true),
  /** An executor dies and starts again. */
  CRASH(6, true),
  /** An executor dies as soon as it reaches a certain point. */
  CRASH_AT(16, true),
  /** An executor does nothing for a while and goes on as if nothing had happened. */
  FREEZE(6, true),
  /** An executor freezes as soon as it reaches a certain point. */
  FREEZE_AT(10, true),
  /** Nothing an executor says arrives for a while. */
  CUT_OFF(5, true),
  /** An executor drains and starts again. */
  DRAIN(3, true),
  /** An executor claims more or less memory than before. */
  LIE(4, true),
  /** The next preparation on an executor fails. */
  WORK_FAILS(10, true),
  /** The next preparation on an executor stops making progress. */
  WORK_STALLS(5, true),
  /** The next work that is cancelled on an executor goes on all the same for a while. */
  CHILD_LIVES_ON(5, true),
  /** The authority does the next thing asked of it, or does it later, and the answer is lost. */
  ANSWER_LOST(10, true),
  /** The authority is not there for a while. */
  AUTHORITY_OUT(2, true),
  /** Records that were written come once more, late. */
  REPEATED(12, true),
  /** What is sent on one topic takes long for a while. */
  SLOW_TOPIC(10, true),
  /** The scheduler of the tables dies, with what it had not committed. */
  TABLES_DOWN(6, true),
  /** The scheduler of the pool dies, with what it had not committed. */
  POOL_DOWN(4, true),
  /** The clock of a scheduler is set. */
  CLOCK_STEP(4, true),
  /** A table's policy changes. */
  POLICY(5, false),
  /** An operator pauses, resumes, triggers or cancels. */
  OPERATOR(6, false),
  /** Nothing for a while. */
  QUIET(4, false),
  /** An executor claims so little memory that not everything fits; only where it is asked for. */
  SHRINK(0, true);

  private final int weight;
  private final boolean fault;

  ActionKind(int weight, boolean fault) {
    this.weight = weight;
    this.fault = fault;
  }

  /** How often it happens, compared with the others. */
  int weight() {
    return weight;
  }

  /** Whether something goes wrong with it. */
  public boolean isFault() {
    return fault;
  }
}
