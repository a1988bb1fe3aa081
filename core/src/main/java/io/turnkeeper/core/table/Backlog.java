package io.turnkeeper.core.table;

/** How far a table's log is ahead of the table, and what writers should do about it. */
public enum Backlog {
  OK,
  /** From {@link #WARN_GENERATIONS} pending generations. */
  WARN,
  /** From {@link #CRITICAL_GENERATIONS} pending generations. */
  CRITICAL;

  /** Pending generations from which a backlog is worth a warning. */
  public static final long WARN_GENERATIONS = 256;

  /** Pending generations from which a backlog is critical. */
  public static final long CRITICAL_GENERATIONS = 4_096;

  /** The delay advised at {@link #CRITICAL_GENERATIONS} and above. */
  public static final long MAX_DELAY_MILLIS = 1_000;

  /** The class of a number of pending generations, those behind a bad one included. */
  public static Backlog of(long pendingGenerations) {
    if (pendingGenerations >= CRITICAL_GENERATIONS) {
      return CRITICAL;
    }
    return pendingGenerations >= WARN_GENERATIONS ? WARN : OK;
  }

  /**
   * How long a writer is advised to wait before it admits the next batch, in milliseconds: 0 below
   * the warning, then rising steadily to {@link #MAX_DELAY_MILLIS}.
   */
  public static long advisedDelayMillis(long pendingGenerations) {
    long above = pendingGenerations - WARN_GENERATIONS;
    if (above <= 0) {
      return 0;
    }
    long span = CRITICAL_GENERATIONS - WARN_GENERATIONS;
    return Math.min(MAX_DELAY_MILLIS, above * MAX_DELAY_MILLIS / span);
  }
}
