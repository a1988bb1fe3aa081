package io.turnkeeper.core;

/**
 * The two clocks of a journal entry.
 *
 * @param atMillis the task's clock, milliseconds since 1970; never goes back; for ages and retries
 * @param observedMillis time during which the task was really reading, milliseconds since its first
 *     start; for timeouts, so that downtime and clock steps expire nothing
 */
public record Now(long atMillis, long observedMillis) {
  public Now {
    Require.time("at", atMillis);
    Require.count("observed", observedMillis);
  }
}
