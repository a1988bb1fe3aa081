package io.turnkeeper.worker.wal;

import io.turnkeeper.core.ShardId;
import java.nio.file.Path;

/** Where one generation of one shard lies. */
public record GenerationFile(ShardId shard, long generation, Path path) {}
