package io.turnkeeper.worker.work;

import java.util.List;

/** Where a preparation tells what it completed, and learns that it should stop. */
public interface Progress {
  /** A version is pinned and what is read of it is chosen. */
  void planned(long readVersion, List<Long> sourceFragments);

  /** So much more data or index I/O is complete. */
  void completed(long bytesRead, long bytesWritten, long rows, String step);

  /** Whether the attempt was cancelled. */
  boolean cancelled();

  /**
   * Ends a cancelled preparation.
   *
   * @throws WorkCancelledException if it was cancelled
   */
  default void requireLive() throws WorkCancelledException {
    if (cancelled()) {
      throw new WorkCancelledException();
    }
  }
}
