package io.turnkeeper.streams;

/** The stores must be rebuilt, but not now or not by this process; the message says what to do. */
public final class RebuildRefusedException extends RuntimeException {
  RebuildRefusedException(String message) {
    super(message);
  }
}
