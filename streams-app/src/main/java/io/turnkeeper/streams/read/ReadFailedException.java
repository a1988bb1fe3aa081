package io.turnkeeper.streams.read;

/** A read that has no answer; the message begins with the problem's code if there is one. */
public final class ReadFailedException extends RuntimeException {
  public ReadFailedException(String message) {
    super(message);
  }

  public ReadFailedException(String message, Throwable cause) {
    super(message, cause);
  }
}
