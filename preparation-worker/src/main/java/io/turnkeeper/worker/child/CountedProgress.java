package io.turnkeeper.worker.child;

import io.turnkeeper.events.storage.Storage;
import io.turnkeeper.worker.work.Progress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Tells the worker what was completed in a storage that counts what Lance moves: each step with
 * that, and twice a second what was moved between the steps. Elsewhere the worker sees that itself.
 */
final class CountedProgress implements Progress, AutoCloseable {
  private static final Duration PERIOD = Duration.ofMillis(500);

  private final Progress told;
  private final ChildIo io;
  private final CountDownLatch closed = new CountDownLatch(1);

  private CountedProgress(Storage storage, Progress told) {
    this.told = told;
    this.io = new ChildIo(storage::moved, told);
  }

  static CountedProgress of(Storage storage, Progress told) {
    CountedProgress progress = new CountedProgress(storage, told);
    if (storage.moved().isPresent()) {
      Thread thread = new Thread(progress::look, "moved");
      thread.setDaemon(true);
      thread.start();
    }
    return progress;
  }

  private void look() {
    try {
      while (!closed.await(PERIOD.toMillis(), TimeUnit.MILLISECONDS)) {
        io.look();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void planned(long readVersion, List<Long> sourceFragments) {
    told.planned(readVersion, sourceFragments);
  }

  @Override
  public void completed(long bytesRead, long bytesWritten, long rows, String step) {
    io.step(new ChildMessage.Step(bytesRead, bytesWritten, rows, step));
  }

  @Override
  public boolean cancelled() {
    return told.cancelled();
  }

  @Override
  public void close() {
    closed.countDown();
  }
}
