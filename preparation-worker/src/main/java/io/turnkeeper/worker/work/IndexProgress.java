package io.turnkeeper.worker.work;

import io.turnkeeper.events.storage.Storage;
import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.lance.Dataset;
import org.lance.Fragment;
import org.lance.FragmentMetadata;

/** Tells what an index build completed: rows by fragment, and how the index's folder has grown. */
final class IndexProgress {
  private final Dataset table;
  private final Storage files;
  private final String folder;
  private final Progress progress;
  private long bytesBefore;

  IndexProgress(Dataset table, Storage files, String folder, Progress progress) {
    this.table = table;
    this.files = files;
    this.folder = folder;
    this.progress = progress;
  }

  void read(List<Integer> fragments, String step) throws IOException {
    long rows = 0;
    long bytes = 0;
    Set<Integer> read = new HashSet<>(fragments);
    for (Fragment fragment : table.getFragments()) {
      if (read.contains(fragment.getId())) {
        FragmentMetadata metadata = fragment.metadata();
        rows += metadata.getPhysicalRows();
        bytes += FragmentBytes.of(metadata);
      }
    }
    long now = files.list(folder).bytes();
    progress.completed(bytes, Math.max(0, now - bytesBefore), rows, step);
    bytesBefore = Math.max(bytesBefore, now);
  }
}
