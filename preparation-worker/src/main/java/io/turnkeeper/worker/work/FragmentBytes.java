package io.turnkeeper.worker.work;

import org.lance.FragmentMetadata;
import org.lance.fragment.DataFile;

/** The size of a fragment's data files as the manifest knows it. */
final class FragmentBytes {
  private FragmentBytes() {}

  static long of(FragmentMetadata fragment) {
    long bytes = 0;
    for (DataFile file : fragment.getFiles()) {
      Long size = file.getFileSizeBytes();
      bytes += size == null ? 0 : size;
    }
    return bytes;
  }
}
