package io.turnkeeper.events;

import org.apache.kafka.common.errors.TimeoutException;

/** The cluster did not answer, or refused; the message says what was asked. */
public final class KafkaFailedException extends RuntimeException {
  public KafkaFailedException(String message, Throwable cause) {
    super(message, cause);
  }

  /** With what the client says of it. */
  static KafkaFailedException of(Throwable cause) {
    String said = String.valueOf(cause.getMessage());
    return new KafkaFailedException(
        cause instanceof TimeoutException ? "the brokers did not answer: " + said : said, cause);
  }
}
