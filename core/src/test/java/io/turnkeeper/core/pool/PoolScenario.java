package io.turnkeeper.core.pool;

import io.turnkeeper.core.Decided;
import io.turnkeeper.core.ExecutorId;
import io.turnkeeper.core.Kind;
import io.turnkeeper.core.Now;
import io.turnkeeper.core.PoolId;
import io.turnkeeper.core.TableId;
import io.turnkeeper.core.UnitId;
import io.turnkeeper.core.partition.Settings;
import io.turnkeeper.core.pool.ExecutorEvent.ExecutorHeartbeat;
import io.turnkeeper.core.pool.ExecutorEvent.LiveUnit;
import io.turnkeeper.core.pool.InboxEvent.PlacementRequested;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** One pool driven by hand under a virtual clock. */
abstract class PoolScenario {
  static final PoolId POOL = new PoolId("default");
  static final ExecutorId ONE = new ExecutorId("one");
  static final ExecutorId TWO = new ExecutorId("two");
  static final long MIB = 1L << 20;
  static final long DAY = 86_400_000;

  PoolState state = PoolState.empty(POOL);
  Settings settings = Settings.DEFAULT;
  long observedMillis = 1_000;

  long dueIn() {
    return PoolRules.nextDueMillis(state, settings, now()) - now().atMillis();
  }

  static PlacementRequested requested(String table, long sequence) {
    UnitId unit = new UnitId(new TableId(table), sequence);
    return new PlacementRequested(POOL, unit, 1, Kind.MERGE_WAL, 3, 1.0, 1, MIB);
  }

  /** Why the first decision on it is made; nothing is kept of it. */
  String reasonOf(PoolEvent event) {
    return PoolRules.decide(event.applyTo(state, now()), settings, now()).get(0).reason();
  }

  List<PoolDecision> requestCompaction(String table) {
    return given(new PlacementRequested(POOL, unit(table), 1, Kind.COMPACT, 4, 1.0, 1, MIB));
  }

  static Settings limited(long placements, long bytes) {
    return new Settings(30_000, 5_000, 2_000, 15_000, placements, bytes, List.of(), List.of());
  }

  static ExecutorHeartbeat beatOf(ExecutorId executor, Map<Kind, Integer> slots) {
    return new ExecutorHeartbeat(
        POOL,
        executor,
        1,
        new TreeMap<>(slots),
        100 * MIB,
        false,
        "test",
        new TreeMap<>(),
        List.of());
  }

  static ExecutorHeartbeat beat(
      ExecutorId executor, long incarnation, long bytes, boolean draining, int mergeSlots) {
    return new ExecutorHeartbeat(
        POOL,
        executor,
        incarnation,
        new TreeMap<>(Map.of(Kind.MERGE_WAL, mergeSlots, Kind.COMPACT, 1)),
        bytes,
        draining,
        "test",
        new TreeMap<>(),
        List.of());
  }

  List<PoolDecision> request(UnitId unit, int rank, long waitSince, long bytes) {
    return given(
        new PlacementRequested(POOL, unit, 1, Kind.MERGE_WAL, rank, 1.0, waitSince, bytes));
  }

  List<PoolDecision> heartbeat(
      ExecutorId executor, long incarnation, long bytes, LiveUnit... live) {
    return given(
        new ExecutorHeartbeat(
            POOL,
            executor,
            incarnation,
            new TreeMap<>(Map.of(Kind.MERGE_WAL, 8)),
            bytes,
            false,
            "test",
            new TreeMap<>(),
            List.of(live)));
  }

  List<PoolDecision> given(PoolEvent event) {
    state = event.applyTo(state, now());
    return decide();
  }

  List<PoolDecision> after(long millis) {
    observedMillis += millis;
    return decide();
  }

  List<PoolDecision> decide() {
    List<PoolDecision> decisions =
        PoolRules.decide(state, settings, now()).stream().map(Decided::decision).toList();
    for (PoolDecision decision : decisions) {
      state = decision.applyTo(state, now());
    }
    return decisions;
  }

  Now now() {
    return new Now(observedMillis + 500, observedMillis);
  }

  static UnitId unit(String table) {
    return new UnitId(new TableId(table), 1);
  }
}
