package io.turnkeeper.core;

/**
 * The two clocks of a journal entry.
 *
 * @param atMillis the task's clock, milliseconds since 1970; never goes back; for ages and retries
 * @param observedMillis time during which the task was really reading, milliseconds since its first
 *     start; for timeouts, so that downtime and clock steps expire nothing
 */
public record Now(long atMillis, long observedMillis) {
  /**
   * How far apart two entries are at most while observed time is waited for. A longer pause is not
   * observed, so whoever waits for it must be looked at in between.
   */
  private static final long MAX_APART_MILLIS = 10_000;

  public Now {
    Require.time("at", atMillis);
    Require.count("observed", observedMillis);
  }

  /** When to look again, on the task's clock, at what is due when so much more time is observed. */
  public long lookAgainFor(long leftMillis) {
    return atMillis + Math.max(0, Math.min(leftMillis, MAX_APART_MILLIS));
  }
}
