package io.turnkeeper.events;

/** The cluster did not answer, or refused; the message says what was asked. */
public final class KafkaFailedException extends RuntimeException {
  public KafkaFailedException(String message, Throwable cause) {
    super(message, cause);
  }
}
