package io.turnkeeper.bench;

import io.turnkeeper.core.ExecutorId;
import io.turnkeeper.core.Kind;
import io.turnkeeper.core.PoolId;
import io.turnkeeper.core.ShardId;
import io.turnkeeper.core.TableId;
import io.turnkeeper.core.pool.ExecutorEvent.ExecutorHeartbeat;
import io.turnkeeper.core.table.DemandEvent.SealSource;
import io.turnkeeper.core.table.DemandEvent.TableRegistered;
import io.turnkeeper.core.table.DemandEvent.WalSealed;
import io.turnkeeper.core.table.MergeMode;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** What writers and executors say. */
final class Inputs {
  private static final ShardId SHARD = new ShardId("s0");

  private Inputs() {}

  static TableId table(int number) {
    return new TableId("team/table-" + number);
  }

  static TableRegistered registered(TableId table) {
    return new TableRegistered(
        table, 1, "/tables/" + table, "/wal/" + table, List.of(), MergeMode.APPEND, List.of());
  }

  static WalSealed sealed(TableId table, long through, long nowMillis) {
    return new WalSealed(
        table, 1, SHARD, 1, through, through * 1_000, through * 10, nowMillis, SealSource.WRITER);
  }

  /** An executor that takes as many merges as there are. */
  static ExecutorHeartbeat heartbeat() {
    return new ExecutorHeartbeat(
        new PoolId("default"),
        new ExecutorId("worker-1"),
        1,
        new TreeMap<>(Map.of(Kind.MERGE_WAL, 10_000)),
        1L << 50,
        false,
        "bench",
        new TreeMap<>(),
        List.of());
  }
}
