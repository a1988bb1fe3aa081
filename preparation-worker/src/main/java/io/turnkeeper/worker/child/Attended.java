package io.turnkeeper.worker.child;

import io.turnkeeper.worker.work.Progress;

/** The attempt that a process prepares for. */
public interface Attended extends Progress {
  /** Runs {@code stop} when the attempt is over, at once if it is already. */
  void whenOver(Runnable stop);

  /** Tells what was held back for a moment, once that is over. Asked for twice a second. */
  void tellWhatIsDue();

  /** Told how much memory the preparation took at most, whatever came of it. */
  void peaked(long bytes);
}
