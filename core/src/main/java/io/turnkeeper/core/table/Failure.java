package io.turnkeeper.core.table;

import io.turnkeeper.core.FailureCode;
import io.turnkeeper.core.FailureCode.FailureClass;
import io.turnkeeper.core.Kind;
import io.turnkeeper.core.Require;
import io.turnkeeper.core.ShardId;
import org.jspecify.annotations.Nullable;

/**
 * One line of a table's failure ledger. It is part of the state, so that no crash resets it.
 *
 * @param attempts failures in a row with no success between them
 * @param nextRetryMillis not tried again before this time, milliseconds since 1970
 * @param attention whether somebody should look
 */
public record Failure(
    String code,
    String message,
    int attempts,
    long firstAtMillis,
    long lastAtMillis,
    long nextRetryMillis,
    boolean attention) {
  private static final long SECOND = 1_000;
  private static final long HOUR = 3_600 * SECOND;
  private static final int ATTENTION_FROM = 15;

  /** The journal has the whole message; the ledger of many shards must stay small. */
  private static final int MAX_MESSAGE = 512;

  public Failure {
    Require.text("code", code);
    Require.text("message", message);
    Require.positive("attempts", attempts);
  }

  /** The ledger's key of a kind as a whole. */
  public static String key(Kind kind) {
    return kind.name();
  }

  /** The ledger's key of one shard's merges. */
  public static String key(Kind kind, ShardId shard) {
    return kind.name() + ":" + shard;
  }

  /** The entry after one more failure; a code nobody here knows wants to be seen. */
  static Failure after(@Nullable Failure before, String codeName, String message, long atMillis) {
    FailureCode code = FailureCode.of(codeName);
    int attempts = before == null ? 1 : before.attempts + 1;
    return new Failure(
        codeName,
        Require.shortened(message, MAX_MESSAGE),
        attempts,
        before == null ? atMillis : before.firstAtMillis,
        atMillis,
        atMillis + delayMillis(code.failureClass(), attempts),
        needsAttention(code, attempts) || !code.name().equals(codeName));
  }

  /** The same failure, tried again at most {@code millis} after it happened. */
  Failure dueBy(long millis) {
    return new Failure(
        code,
        message,
        attempts,
        firstAtMillis,
        lastAtMillis,
        Math.min(nextRetryMillis, lastAtMillis + millis),
        attention);
  }

  /** What was prepared did not fit the table any more. */
  boolean isStalePreparation() {
    FailureCode known = FailureCode.of(code);
    return known == FailureCode.STALE_PREPARATION || known == FailureCode.CONFLICT;
  }

  /** No executor was big enough, or the attempt took more than was reserved for it. */
  boolean needsMoreMemory() {
    return FailureCode.of(code) == FailureCode.NEEDS_MORE_MEMORY;
  }

  /** Its turn came to nothing, and what was prepared is still good. */
  boolean isLostTurn() {
    return FailureCode.of(code).endsOnlyTheTurn();
  }

  /** A merge reads the log, so only these two can miss a file of the table. */
  static boolean isMendedByRepair(String key, Failure failure) {
    return FailureCode.of(failure.code) == FailureCode.MISSING_FILE
        && (key.equals(key(Kind.COMPACT)) || key.equals(key(Kind.INDEX)));
  }

  boolean isDue(long atMillis) {
    return atMillis >= nextRetryMillis;
  }

  FailureClass failureClass() {
    return FailureCode.of(code).failureClass();
  }

  private static long delayMillis(FailureClass failureClass, int attempts) {
    return switch (failureClass) {
      case STALE, RETRYABLE, NOOP -> {
        if (attempts <= 2) {
          yield 2 * SECOND;
        }
        yield doubled(30 * SECOND, attempts - 3, 900 * SECOND);
      }
      case OWNERSHIP -> doubled(30 * SECOND, attempts - 1, 300 * SECOND);
      case DATA, CONFIG -> HOUR;
    };
  }

  private static long doubled(long first, int times, long most) {
    return Math.min(most, first << Math.min(times, 20));
  }

  private static boolean needsAttention(FailureCode code, int attempts) {
    return switch (code.failureClass()) {
      case STALE, NOOP -> false;
      case RETRYABLE -> attempts >= ATTENTION_FROM;
      case OWNERSHIP, DATA, CONFIG -> true;
    };
  }
}
