package io.turnkeeper.streams;

/** A store is not as far as its journal: it must be rebuilt before anything is decided from it. */
public final class RebuildNeededException extends RuntimeException {
  /** What operators look for in logs and exit messages. */
  public static final String CODE = "REBUILD_NEEDED";

  RebuildNeededException(String message) {
    super(CODE + ": " + message);
  }
}
