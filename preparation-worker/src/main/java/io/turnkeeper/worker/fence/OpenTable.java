package io.turnkeeper.worker.fence;

import io.turnkeeper.events.storage.Storage;
import java.io.IOException;
import org.apache.arrow.memory.BufferAllocator;
import org.lance.Dataset;
import org.lance.ReadOptions;

/** Opens a table at its newest version that plain readers see, pinned. */
public final class OpenTable {
  private OpenTable() {}

  /** A handle of the caller's own, since a handle serves one call at a time. */
  public static Dataset newest(String uri, BufferAllocator allocator) throws IOException {
    return Dataset.open()
        .allocator(allocator)
        .uri(uri)
        .readOptions(
            new ReadOptions.Builder().setStorageOptions(Storage.at(uri).lanceOptions()).build())
        .build();
  }
}
