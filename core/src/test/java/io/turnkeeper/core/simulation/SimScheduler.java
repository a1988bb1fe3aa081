package io.turnkeeper.core.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.turnkeeper.core.Decided;
import io.turnkeeper.core.Event;
import io.turnkeeper.core.Now;
import io.turnkeeper.core.PoolId;
import io.turnkeeper.core.TableId;
import io.turnkeeper.core.partition.JournalEntry;
import io.turnkeeper.core.partition.PartitionEvent.SettingsApplied;
import io.turnkeeper.core.partition.PartitionEvent.Tick;
import io.turnkeeper.core.partition.PartitionState;
import io.turnkeeper.core.partition.Settings;
import io.turnkeeper.core.pool.PoolDecision;
import io.turnkeeper.core.pool.PoolEvent;
import io.turnkeeper.core.pool.PoolRules;
import io.turnkeeper.core.pool.PoolState;
import io.turnkeeper.core.table.Context;
import io.turnkeeper.core.table.TableDecision;
import io.turnkeeper.core.table.TableEvent;
import io.turnkeeper.core.table.TableRules;
import io.turnkeeper.core.table.TableState;
import io.turnkeeper.core.table.Timers;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;

/** The two partitions of the scheduler, as the topology drives them, checked after every entry. */
final class SimScheduler {
  static final PoolId POOL = new PoolId("default");

  private final SimClock clock;
  private final Consumer<TableDecision> onTable;
  private final Consumer<PoolDecision> onPool;
  private final Invariants invariants = new Invariants();
  private final SortedMap<TableId, TableState> tables = new TreeMap<>();
  private final SortedMap<TableId, TableState> rebuilt = new TreeMap<>();
  private final SortedMap<TableId, Long> due = new TreeMap<>();
  private PartitionState tablePartition = PartitionState.START;
  private PartitionState poolPartition = PartitionState.START;
  private PoolState pool = PoolState.empty(POOL);
  private long poolDue = Long.MAX_VALUE;
  private long entries;
  private final List<String> trace = new ArrayList<>();

  SimScheduler(SimClock clock, Consumer<TableDecision> onTable, Consumer<PoolDecision> onPool) {
    this.clock = clock;
    this.onTable = onTable;
    this.onPool = onPool;
  }

  /** Every start is an entry, after which everybody is looked at. */
  void start(Settings settings) {
    tablePartition = after(tablePartition, new SettingsApplied(settings));
    poolPartition = after(poolPartition, new SettingsApplied(settings));
    tables.keySet().forEach(table -> due.put(table, 0L));
    poolDue = 0;
  }

  void tick() {
    long now = clock.nowMillis();
    boolean tablesDue = due.values().stream().anyMatch(at -> at <= now);
    if (tablesDue || now - tablePartition.atMillis() >= 10_000) {
      tablePartition = after(tablePartition, new Tick());
      for (TableId table : tables.keySet()) {
        if (due.getOrDefault(table, Long.MAX_VALUE) <= now) {
          decide(table);
        }
      }
    }
    if (poolDue <= now || now - poolPartition.atMillis() >= 10_000) {
      poolPartition = after(poolPartition, new Tick());
      decidePool();
    }
  }

  void take(TableEvent event) {
    tablePartition = after(tablePartition, event);
    Now now = tablePartition.now();
    TableId table = event.table();
    TableState unknown = TableState.unknown(table);
    tables.merge(table, event.applyTo(unknown, now), (known, first) -> event.applyTo(known, now));
    rebuilt.merge(table, event.applyTo(unknown, now), (known, first) -> event.applyTo(known, now));
    decide(table);
  }

  void take(PoolEvent event) {
    poolPartition = after(poolPartition, event);
    pool = event.applyTo(pool, poolPartition.now());
    decidePool();
  }

  private void decide(TableId table) {
    Now now = tablePartition.now();
    Context context = Context.of(tablePartition);
    TableState state = state(table);
    for (Decided<TableDecision> decided : TableRules.decide(state, context, now)) {
      state = decided.decision().applyTo(state, now);
      rebuilt.computeIfPresent(table, (id, known) -> decided.decision().applyTo(known, now));
      invariants.check(decided.decision(), state);
      note(decided);
      onTable.accept(decided.decision());
    }
    tables.put(table, state);
    invariants.check(state);
    assertThat(rebuilt.get(table)).as("live = rebuilt").isEqualTo(state);
    due.put(table, Timers.nextDueMillis(state, context, now));
  }

  private void decidePool() {
    Now now = poolPartition.now();
    for (Decided<PoolDecision> decided : PoolRules.decide(pool, poolPartition.settings(), now)) {
      pool = decided.decision().applyTo(pool, now);
      note(decided);
      onPool.accept(decided.decision());
    }
    invariants.check(pool);
    poolDue = PoolRules.nextDueMillis(pool, poolPartition.settings(), now);
  }

  private PartitionState after(PartitionState before, Event event) {
    entries++;
    note(event);
    long at = Math.max(before.atMillis(), clock.nowMillis());
    return before.after(new JournalEntry(before.sequence() + 1, at, null, event));
  }

  TableState state(TableId table) {
    return tables.getOrDefault(table, TableState.unknown(table));
  }

  PoolState pool() {
    return pool;
  }

  Invariants invariants() {
    return invariants;
  }

  private void note(Object what) {
    trace.add((clock.nowMillis() - SimClock.START_MILLIS) + " " + what);
  }

  /** What was folded and decided, oldest first, as far as it mentions {@code word}. */
  List<String> trace(String word) {
    return trace.stream().filter(line -> line.contains(word)).toList();
  }

  long entries() {
    return entries;
  }
}
