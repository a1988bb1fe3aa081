package io.turnkeeper.worker.trial;

/** What others do while a holder is stopped. */
enum Meanwhile {
  /** Nothing; the holder must not notice that it was stopped. */
  NOTHING,
  /** Another takes the turn and commits. */
  COMMIT,
  /** Another takes the turn and gives it back without a commit. */
  RELEASE,
  /** The table is dropped and registered anew. */
  REGISTER,
  /** The same, and another commits to it. */
  REGISTER_AND_COMMIT;

  /** The turn of those who act meanwhile. */
  static final long TURN = 100;

  boolean commits() {
    return this == COMMIT || this == REGISTER_AND_COMMIT;
  }

  /** Whether the turn that was held before is lost by it. */
  boolean fences() {
    return this != NOTHING;
  }

  boolean registers() {
    return this == REGISTER || this == REGISTER_AND_COMMIT;
  }

  void happensTo(TrialTable table) throws Exception {
    if (registers()) {
      table.drop();
      table.register();
    }
    if (commits()) {
      table.commit(TURN, TrialTable.FIRST_MEANWHILE, TrialTable.MEANWHILE);
    } else if (this == RELEASE) {
      table.release(table.take(TURN));
    }
  }
}
