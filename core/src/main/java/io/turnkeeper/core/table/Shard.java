package io.turnkeeper.core.table;

record Shard(long sealedThrough) {
  Shard sealed(Object event) {
    return this;
  }

  Shard skipping(long generation) {
    return this;
  }
}
