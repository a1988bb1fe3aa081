package io.turnkeeper.worker.work;

import org.apache.arrow.memory.BufferAllocator;
import org.lance.Dataset;

/** Opens a table for a preparation: its newest version that plain readers see, pinned. */
final class OpenTable {
  private OpenTable() {}

  /** A handle of the caller's own, since a handle serves one call at a time. */
  static Dataset newest(String uri, BufferAllocator allocator) {
    return Dataset.open().allocator(allocator).uri(uri).build();
  }
}
