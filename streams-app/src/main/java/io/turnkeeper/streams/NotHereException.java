package io.turnkeeper.streams;

/** This instance cannot read a partition now: another has it, or nobody yet. */
public final class NotHereException extends Exception {
  public NotHereException(String message) {
    super(message);
  }

  public NotHereException(String message, Throwable cause) {
    super(message, cause);
  }
}
