package io.turnkeeper.worker.authority;

/** A transaction got no answer that says what became of it. */
final class NoAnswerException extends Exception {
  private static final long serialVersionUID = 1L;

  private final boolean mayHaveHappened;

  NoAnswerException(String message, boolean mayHaveHappened, Throwable cause) {
    super(message, cause);
    this.mayHaveHappened = mayHaveHappened;
  }

  NoAnswerException(String message) {
    super(message);
    this.mayHaveHappened = false;
  }

  /** Whether an attempt may have been applied, or may still be. */
  boolean mayHaveHappened() {
    return mayHaveHappened;
  }
}
