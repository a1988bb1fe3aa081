package io.turnkeeper.worker.work;

import io.turnkeeper.events.storage.Storage;
import java.io.IOException;
import java.util.List;
import org.lance.FragmentMetadata;

/** Tells what an index build completed: rows by fragment, and how the index's folder has grown. */
final class IndexProgress {
  private final Storage files;
  private final String folder;
  private final Progress progress;
  private long bytesBefore;

  IndexProgress(Storage files, String folder, Progress progress) {
    this.files = files;
    this.folder = folder;
    this.progress = progress;
  }

  void read(List<FragmentMetadata> fragments, String step) throws IOException {
    long rows = 0;
    long bytes = 0;
    for (FragmentMetadata fragment : fragments) {
      rows += fragment.getPhysicalRows();
      bytes += FragmentBytes.of(fragment);
    }
    long now = files.list(folder).bytes();
    progress.completed(bytes, Math.max(0, now - bytesBefore), rows, step);
    bytesBefore = Math.max(bytesBefore, now);
  }
}
