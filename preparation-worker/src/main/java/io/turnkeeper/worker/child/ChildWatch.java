package io.turnkeeper.worker.child;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Looks at a working process twice a second: what it moved, and that it keeps to its memory. */
final class ChildWatch implements AutoCloseable {
  private static final Duration PERIOD = Duration.ofMillis(500);

  private final Child child;
  private final long ceilingBytes;
  private final Attended attempt;
  private final ChildIo io;
  private final CountDownLatch closed = new CountDownLatch(1);
  private final Thread thread = new Thread(this::watch, "preparation-watch");
  private volatile long peakBytes;
  private volatile long excess;

  private ChildWatch(Child child, long ceilingBytes, boolean countsItself, Attended attempt) {
    this.child = child;
    this.ceilingBytes = ceilingBytes;
    this.attempt = attempt;
    this.io = new ChildIo(countsItself ? Optional::empty : child.meter()::io, attempt);
  }

  /**
   * Begins to look.
   *
   * @param countsItself whether the process tells what it moved, since the system would count what
   *     it sends in vain and leave out what it receives
   */
  static ChildWatch over(Child child, long ceilingBytes, boolean countsItself, Attended attempt) {
    ChildWatch watch = new ChildWatch(child, ceilingBytes, countsItself, attempt);
    watch.thread.setDaemon(true);
    watch.thread.start();
    return watch;
  }

  private void watch() {
    try {
      while (!closed.await(PERIOD.toMillis(), TimeUnit.MILLISECONDS)) {
        io.look();
        attempt.tellWhatIsDue();
        long now = child.meter().residentBytes().orElse(0);
        if (now > ceilingBytes) {
          excess = now;
          child.kill();
          return;
        }
        peakBytes();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  ChildIo io() {
    return io;
  }

  long ceilingBytes() {
    return ceilingBytes;
  }

  /** How much it took when it was ended for that, 0 if it was not. */
  long excess() {
    return excess;
  }

  /** The most it took so far; what is known of a dead process stays known. */
  long peakBytes() {
    peakBytes = Math.max(peakBytes, child.meter().peakBytes().orElse(0));
    return peakBytes;
  }

  @Override
  public void close() {
    closed.countDown();
    attempt.peaked(Math.max(peakBytes(), excess));
  }
}
