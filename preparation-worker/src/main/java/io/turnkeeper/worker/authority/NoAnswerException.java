package io.turnkeeper.worker.authority;

/** A request got no answer that says what became of it. */
final class NoAnswerException extends Exception {
  private static final long serialVersionUID = 1L;

  /** What may have become of the request. */
  enum Fate {
    /** Nothing, and nothing will. */
    NOT_APPLIED,
    /**
     * The last attempt was answered and is done with, but perhaps applied; none before it was. What
     * is there now is final.
     */
    TO_BE_SEEN,
    /** An attempt may have been applied, or may still be. */
    OPEN
  }

  private final Fate fate;

  NoAnswerException(String message, Fate fate, Throwable cause) {
    super(message, cause);
    this.fate = fate;
  }

  NoAnswerException(String message) {
    super(message);
    this.fate = Fate.NOT_APPLIED;
  }

  Fate fate() {
    return fate;
  }
}
