package io.turnkeeper.worker.wal;

import io.turnkeeper.core.ShardId;
import io.turnkeeper.events.wal.WalLayout;
import java.io.IOException;
import java.nio.file.Path;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.types.pojo.Schema;

/** The sealed generations of one table's write-ahead log, as files. */
public final class WalGenerations {
  private final Path root;

  public WalGenerations(Path root) {
    this.root = root;
  }

  public GenerationFile file(ShardId shard, long generation) {
    Path folder = root.resolve(shard.value());
    return new GenerationFile(shard, generation, folder.resolve(WalLayout.fileName(generation)));
  }

  /**
   * Walks the file's messages up to its end-of-stream marker.
   *
   * @throws InvalidWalException if it is missing, empty, cut off, or not such a stream
   */
  public GenerationSize check(GenerationFile file) throws InvalidWalException, IOException {
    return StreamStructure.check(file);
  }

  /**
   * Opens a checked file for reading.
   *
   * @throws InvalidWalException if its columns are not those of {@code table}
   */
  public GenerationBatches open(GenerationFile file, Schema table, BufferAllocator allocator)
      throws InvalidWalException, IOException {
    return GenerationBatches.open(file, table, allocator);
  }
}
