package io.turnkeeper.worker;

/** A fact could not be told. Whoever wanted to tell it must stop: nobody knows what it did. */
public final class ReportFailedException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public ReportFailedException(String message, Throwable cause) {
    super(message, cause);
  }
}
