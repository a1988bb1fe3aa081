package io.turnkeeper.core.partition;

import java.util.function.LongSupplier;

/**
 * A task's clock: never goes back, runs with the monotonic clock, and is drawn slowly towards the
 * wall clock. A large difference is taken over only when the task starts.
 */
public final class TaskClock {
  /** How much faster or slower than the monotonic clock it may run while it is drawn. */
  private static final double MAX_DRIFT = 0.1;

  /** A difference at start below this is no gap worth recording. */
  private static final long MIN_GAP_MILLIS = 1_000;

  private static final long NANOS_PER_MILLI = 1_000_000;

  private final LongSupplier wallMillis;
  private final LongSupplier monotonicNanos;
  private final long gapMillis;
  private double atMillis;
  private long readNanos;

  /**
   * Starts where the task stopped, or at the wall clock if that is ahead.
   *
   * @param lastMillis the clock of the task's last entry, 0 if there is none
   */
  public TaskClock(long lastMillis, LongSupplier wallMillis, LongSupplier monotonicNanos) {
    this.wallMillis = wallMillis;
    this.monotonicNanos = monotonicNanos;
    long wall = wallMillis.getAsLong();
    gapMillis =
        lastMillis == 0 || Math.abs(wall - lastMillis) < MIN_GAP_MILLIS ? 0 : wall - lastMillis;
    atMillis = Math.max(lastMillis, wall);
    readNanos = monotonicNanos.getAsLong();
  }

  /** How far the wall clock was from the task's last entry when it started; negative is behind. */
  public long gapMillis() {
    return gapMillis;
  }

  /** The time now, in milliseconds since 1970. */
  public long millis() {
    long nanos = monotonicNanos.getAsLong();
    double elapsed = Math.max(0, (double) (nanos - readNanos) / NANOS_PER_MILLI);
    readNanos = nanos;
    double wanted = wallMillis.getAsLong() - (atMillis + elapsed);
    double drawn = Math.max(-MAX_DRIFT * elapsed, Math.min(MAX_DRIFT * elapsed, wanted));
    atMillis += elapsed + drawn;
    return (long) atMillis;
  }
}
