package io.turnkeeper.streams;

import io.turnkeeper.streams.cli.SequenceOrTime;
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
  /** Up to and including {@code until}, or to the end. */
  public static ReplayOptions of(
      boolean verify, @Nullable String only, @Nullable SequenceOrTime until) {
    return new ReplayOptions(
        verify,
        only,
        until == null || until.sequence() == null ? Long.MAX_VALUE : until.sequence(),
        until == null || until.millis() == null ? Long.MAX_VALUE : until.millis());
  }

  boolean isOpenEnded() {
    return untilSequence == Long.MAX_VALUE && untilMillis == Long.MAX_VALUE;
  }

  /** Whether that key's states and decisions are compared. */
  boolean concerns(String key) {
    return only == null || only.equals(key);
  }
}
