package io.turnkeeper.bench;

import io.turnkeeper.core.Event;
import io.turnkeeper.core.FrozenMap;
import io.turnkeeper.core.partition.DecisionRecord;
import io.turnkeeper.core.partition.PartitionEvent.SettingsApplied;
import io.turnkeeper.core.partition.Settings;
import io.turnkeeper.core.pool.PoolEvent;
import io.turnkeeper.core.pool.PoolState;
import io.turnkeeper.core.table.Assignment.GrantTurn;
import io.turnkeeper.core.table.Assignment.RunUnit;
import io.turnkeeper.core.table.TableEvent;
import io.turnkeeper.core.table.TableState;
import io.turnkeeper.events.JournalStep;
import io.turnkeeper.streams.MemoryPartition;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;

/** What one partition's journal holds after many tables were sealed and merged in turns. */
final class HistoryOfMerges {
  private static final long START_MILLIS = 1_800_000_000_000L;

  /** No limit of placements a minute: time passes slowly here. */
  private static final Settings SETTINGS =
      new Settings(
          3_600_000,
          3_600_000,
          3_600_000,
          3_600_000,
          Integer.MAX_VALUE,
          1L << 50,
          List.of(),
          List.of());

  private final MemoryPartition<TableState> tables = MemoryPartition.ofTables(0);
  private final MemoryPartition<PoolState> pools = MemoryPartition.ofPools(0);
  private final MergeWorker worker = new MergeWorker();
  private final Queue<Event> waiting = new ArrayDeque<>();
  private final List<JournalStep> steps = new ArrayList<>();
  private long nowMillis = START_MILLIS;

  /** The steps of at least {@code entries} entries. */
  static List<JournalStep> of(int tables, int entries) {
    HistoryOfMerges history = new HistoryOfMerges();
    history.tell(new SettingsApplied(SETTINGS, FrozenMap.of()));
    history.pools.take(START_MILLIS, new SettingsApplied(SETTINGS, FrozenMap.of()));
    history.tell(Inputs.heartbeat());
    for (int table = 0; table < tables; table++) {
      history.tell(Inputs.registered(Inputs.table(table)));
    }
    for (long through = 1; history.steps.size() < entries; through++) {
      for (int table = 0; table < tables; table++) {
        history.tell(Inputs.sealed(Inputs.table(table), through, history.nowMillis));
      }
    }
    return history.steps;
  }

  private void tell(Event event) {
    waiting.add(event);
    for (Event next = waiting.poll(); next != null; next = waiting.poll()) {
      nowMillis++;
      if (next instanceof PoolEvent) {
        waiting.addAll(pools.take(nowMillis, next).told());
        continue;
      }
      MemoryPartition.Taken taken = tables.take(nowMillis, next);
      steps.addAll(taken.steps());
      waiting.addAll(taken.told());
      for (JournalStep step : taken.steps()) {
        step.decisions().stream().map(DecisionRecord::decision).forEach(this::answer);
      }
    }
  }

  private void answer(Object decision) {
    if (decision instanceof RunUnit run) {
      waiting.add(worker.claim(run));
      waiting.add(MergeWorker.ready(run.attempt()));
    } else if (decision instanceof GrantTurn grant) {
      List<TableEvent> reports = worker.publish(grant);
      waiting.addAll(reports);
    }
  }
}
