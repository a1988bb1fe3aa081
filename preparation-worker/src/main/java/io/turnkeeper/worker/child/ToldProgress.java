package io.turnkeeper.worker.child;

import io.turnkeeper.worker.work.Progress;
import java.util.List;
import java.util.function.Consumer;

/** Tells the worker what is complete. It is never cancelled: the process is killed instead. */
record ToldProgress(Consumer<ChildMessage> worker) implements Progress {
  @Override
  public void planned(long readVersion, List<Long> sourceFragments) {
    worker.accept(new ChildMessage.Planned(readVersion, sourceFragments));
  }

  @Override
  public void completed(long bytesRead, long bytesWritten, long rows, String step) {
    worker.accept(new ChildMessage.Step(bytesRead, bytesWritten, rows, step));
  }

  @Override
  public boolean cancelled() {
    return false;
  }
}
