package io.turnkeeper.core.table;

import io.turnkeeper.core.Kind;
import io.turnkeeper.core.ShardId;

record Failure(String code) {
  static String key(Kind kind, ShardId shard) {
    return kind + ":" + shard;
  }
}
