package io.turnkeeper.worker;

import io.turnkeeper.core.table.CheckpointEvent.WorkProgressed;
import io.turnkeeper.worker.work.Progress;
import java.time.Duration;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Adds up what an attempt completed and tells it at most twice a second. Called from native threads
 * too, which must not be thrown at: what went wrong with a report is kept and stops the work.
 */
final class AttemptProgress implements Progress {
  private static final long PAUSE_NANOS = Duration.ofMillis(500).toNanos();

  private final AttemptReports reports;
  private final BooleanSupplier over;
  private final LongSupplier nanoTime;
  private long sequence;
  private long bytesRead;
  private long bytesWritten;
  private long rows;
  private String step = "";
  private boolean untold;
  private long toldAtNanos;
  private @Nullable ReportFailedException failure;

  AttemptProgress(AttemptReports reports, BooleanSupplier over, LongSupplier nanoTime) {
    this.reports = reports;
    this.over = over;
    this.nanoTime = nanoTime;
    this.toldAtNanos = nanoTime.getAsLong() - PAUSE_NANOS;
  }

  @Override
  public synchronized void planned(long readVersion, List<Long> sourceFragments) {
    guarded(() -> reports.planned(readVersion, sourceFragments));
  }

  @Override
  public synchronized void completed(long read, long written, long newRows, String newStep) {
    bytesRead += read;
    bytesWritten += written;
    rows += newRows;
    step = newStep;
    untold = true;
    tellWhatIsDue();
  }

  /**
   * Tells what was held back if the pause is over. The last word before a silence would otherwise
   * be held back until somebody judges that silence, and would be taken for its end.
   */
  synchronized void tellWhatIsDue() {
    if (untold && failure == null && nanoTime.getAsLong() - toldAtNanos >= PAUSE_NANOS) {
      tell();
    }
  }

  /** Tells what was held back, and answers the newest sequence. */
  synchronized long flush() {
    if (untold && failure == null) {
      tell();
    }
    return sequence;
  }

  private void tell() {
    sequence++;
    untold = false;
    toldAtNanos = nanoTime.getAsLong();
    guarded(
        () ->
            reports.send(
                new WorkProgressed(
                    reports.attempt(), sequence, bytesRead, bytesWritten, rows, step)));
  }

  private void guarded(Runnable report) {
    try {
      report.run();
    } catch (ReportFailedException e) {
      failure = e;
    }
  }

  @Override
  public boolean cancelled() {
    return over.getAsBoolean() || failure() != null;
  }

  private synchronized @Nullable ReportFailedException failure() {
    return failure;
  }

  /** Throws what went wrong with a report. */
  void rethrowFailure() {
    ReportFailedException failed = failure();
    if (failed != null) {
      throw failed;
    }
  }
}
