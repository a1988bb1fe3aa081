package io.turnkeeper.worker.wal;

import io.turnkeeper.core.ShardId;
import io.turnkeeper.events.storage.Storage;
import io.turnkeeper.events.wal.WalLayout;

/** One generation of one shard of a log. */
public record GenerationFile(Storage log, ShardId shard, long generation) {
  /** Its place below the log. */
  public String name() {
    return WalLayout.file(shard, generation);
  }
}
