package io.turnkeeper.worker.wal;

import io.turnkeeper.core.ShardId;

/** A sealed generation cannot be read; it says which file and why. */
public final class InvalidWalException extends Exception {
  private final transient ShardId shard;
  private final long generation;

  InvalidWalException(GenerationFile file, String reason, Throwable cause) {
    super(message(file, reason), cause);
    this.shard = file.shard();
    this.generation = file.generation();
  }

  InvalidWalException(GenerationFile file, String reason) {
    super(message(file, reason));
    this.shard = file.shard();
    this.generation = file.generation();
  }

  private static String message(GenerationFile file, String reason) {
    return "expected a complete Arrow IPC stream in "
        + file.log().location()
        + "/"
        + file.name()
        + ", but "
        + reason;
  }

  public ShardId shard() {
    return shard;
  }

  public long generation() {
    return generation;
  }
}
