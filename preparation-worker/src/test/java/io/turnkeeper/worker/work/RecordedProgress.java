package io.turnkeeper.worker.work;

import java.util.ArrayList;
import java.util.List;

/** Remembers what a preparation told, and cancels it after so many steps. */
final class RecordedProgress implements Progress {
  final List<String> steps = new ArrayList<>();
  final List<Long> sources = new ArrayList<>();
  long bytesRead;
  long bytesWritten;
  long rows;
  int cancelAfter = Integer.MAX_VALUE;

  @Override
  public void planned(long readVersion, List<Long> sourceFragments) {
    sources.addAll(sourceFragments);
  }

  @Override
  public void completed(long read, long written, long newRows, String step) {
    bytesRead += read;
    bytesWritten += written;
    rows += newRows;
    steps.add(step);
  }

  @Override
  public boolean cancelled() {
    return steps.size() >= cancelAfter;
  }
}
