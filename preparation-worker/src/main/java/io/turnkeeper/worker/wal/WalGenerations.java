package io.turnkeeper.worker.wal;

import io.turnkeeper.core.ShardId;
import io.turnkeeper.events.storage.Storage;
import java.io.IOException;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.types.pojo.Schema;

/** The sealed generations of one table's write-ahead log. */
public final class WalGenerations {
  private final Storage log;

  public WalGenerations(Storage log) {
    this.log = log;
  }

  public GenerationFile file(ShardId shard, long generation) {
    return new GenerationFile(log, shard, generation);
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
