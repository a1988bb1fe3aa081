package io.turnkeeper.authority;

import java.time.Duration;

/**
 * The moment a caller stops waiting, on the monotonic clock, so that a step of the wall clock
 * neither shortens nor stretches it.
 */
public record Deadline(long atNanos) {

  /** The moment {@code patience} from now. */
  public static Deadline after(Duration patience) {
    return new Deadline(System.nanoTime() + patience.toNanos());
  }

  public boolean hasPassed() {
    return atNanos - System.nanoTime() <= 0;
  }

  /** The time that is left, zero when the moment has passed. */
  public Duration remaining() {
    return Duration.ofNanos(Math.max(0, atNanos - System.nanoTime()));
  }
}
