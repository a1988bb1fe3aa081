package io.turnkeeper.worker;

import io.turnkeeper.worker.child.Attended;
import java.util.List;

/** An attempt as the process that prepares for it sees it. */
record UnitAttended(AttemptControl control, AttemptReports reports, AttemptProgress progress)
    implements Attended {
  @Override
  public void planned(long readVersion, List<Long> sourceFragments) {
    progress.planned(readVersion, sourceFragments);
  }

  @Override
  public void completed(long bytesRead, long bytesWritten, long rows, String step) {
    progress.completed(bytesRead, bytesWritten, rows, step);
  }

  @Override
  public boolean cancelled() {
    return progress.cancelled();
  }

  @Override
  public void whenOver(Runnable stop) {
    control.whenOver(stop);
  }

  @Override
  public void tellWhatIsDue() {
    progress.tellWhatIsDue();
  }

  @Override
  public void peaked(long bytes) {
    reports.peaked(bytes);
  }
}
