package io.turnkeeper.streams;

import java.time.DateTimeException;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * How a replay goes.
 *
 * @param verify whether to decide again
 * @param only the one table to compare, null for all
 * @param untilSequence the last entry of each partition
 * @param untilMillis the last time of an entry
 */
public record ReplayOptions(
    boolean verify, @Nullable String only, long untilSequence, long untilMillis) {
  /**
   * Reads {@code until} as a sequence or as a time.
   *
   * @throws ConfigException if it is neither
   */
  public static ReplayOptions of(boolean verify, @Nullable String only, @Nullable String until)
      throws ConfigException {
    if (until == null) {
      return new ReplayOptions(verify, only, Long.MAX_VALUE, Long.MAX_VALUE);
    }
    try {
      return until.chars().allMatch(Character::isDigit)
          ? new ReplayOptions(verify, only, Long.parseLong(until), Long.MAX_VALUE)
          : new ReplayOptions(verify, only, Long.MAX_VALUE, Instant.parse(until).toEpochMilli());
    } catch (NumberFormatException | DateTimeException e) {
      throw new ConfigException(
          "expected a sequence or a time like 2026-01-31T12:00:00Z, but it is " + until, e);
    }
  }

  boolean isOpenEnded() {
    return untilSequence == Long.MAX_VALUE && untilMillis == Long.MAX_VALUE;
  }

  /** Whether that key's states and decisions are compared. */
  boolean concerns(String key) {
    return only == null || only.equals(key);
  }
}
