package io.turnkeeper.worker.trial;

/** What must never come of a trial. */
enum Violation {
  COMMIT_BY_A_ZOMBIE("commits by zombies"),
  LOST_COMMIT("lost commits"),
  DOUBLED_ROWS("trials with doubled rows"),
  OVERWRITTEN("files overwritten"),
  UNTRUE_ANSWER("answers that are not true"),
  UNUSABLE("tables left unusable");

  private final String plural;

  Violation(String plural) {
    this.plural = plural;
  }

  String plural() {
    return plural;
  }
}
