package io.turnkeeper.streams.backtest;

import io.turnkeeper.core.Event;
import io.turnkeeper.core.ExecutorId;
import io.turnkeeper.core.PoolId;
import io.turnkeeper.core.TableId;
import io.turnkeeper.core.partition.PartitionEvent;
import io.turnkeeper.core.pool.ExecutorEvent.ExecutorGone;
import io.turnkeeper.core.pool.ExecutorEvent.ExecutorHeartbeat;
import io.turnkeeper.core.pool.PoolEvent;
import io.turnkeeper.core.pool.PoolState;
import io.turnkeeper.core.table.DemandEvent;
import io.turnkeeper.core.table.PolicyEvent;
import io.turnkeeper.core.table.TableEvent;
import io.turnkeeper.core.table.TableRules;
import io.turnkeeper.core.table.TableState;
import io.turnkeeper.events.InvalidRecordException;
import io.turnkeeper.events.JournalStep;
import io.turnkeeper.streams.ConfigException;
import io.turnkeeper.streams.History;
import io.turnkeeper.streams.MemoryPartition;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What history gives to a backtest: the states at its beginning, what came from outside since, how
 * long attempts took, and what really happened.
 */
final class Recording {
  /** Something that came from outside. */
  record Input(long atMillis, boolean pool, int partition, Event event) {}

  /** One partition as it was at the beginning, and when it was run since. */
  record Part<S>(MemoryPartition<S> before, Downtime downtime) {}

  final Span span;
  final SortedMap<Integer, Part<TableState>> tables = new TreeMap<>();
  final SortedMap<Integer, Part<PoolState>> pools = new TreeMap<>();
  final Map<TableId, Integer> partitionOfTable = new HashMap<>();
  final Map<PoolId, Integer> partitionOfPool = new HashMap<>();
  final List<Input> inputs = new ArrayList<>();
  final SortedMap<ExecutorId, ExecutorHeartbeat> executors = new TreeMap<>();
  final CourseReader courses = new CourseReader();
  final Figures happened;
  final Figures simulated;
  long entries;
  long otherVersions;

  private final TableId replaced;
  private final SortedMap<Integer, MemoryPartition<TableState>> whole = new TreeMap<>();
  private final Map<ExecutorHeartbeat, ExecutorHeartbeat> beats = new HashMap<>();

  private Recording(Span span, TableId replaced) {
    this.span = span;
    this.replaced = replaced;
    this.happened = new Figures(span.fromMillis(), span.untilMillis());
    this.simulated = new Figures(span.fromMillis(), span.untilMillis());
  }

  /**
   * Reads history.
   *
   * @throws ConfigException if there is nothing in it to run
   */
  static Recording read(History history, BacktestOptions options)
      throws ConfigException, InvalidRecordException, IOException {
    Recording recording = new Recording(Span.of(history, options), options.replaced());
    history.pools(recording::takePool);
    history.tables(recording::takeTable);
    recording.happened.end();
    recording.inputs.sort(Comparator.comparingLong(Input::atMillis));
    if (recording.executors.isEmpty()) {
      throw new ConfigException(
          "NO_EXECUTORS: expected heartbeats of executors to simulate, but there are none until "
              + Instant.ofEpochMilli(recording.span.untilMillis()));
    }
    if (!options.replaced().equals(TableId.DEFAULT)
        && !recording.partitionOfTable.containsKey(options.replaced())) {
      throw ConfigException.noSuchTable(options.replaced());
    }
    return recording;
  }

  private void takePool(JournalStep step) {
    long at = step.entry().atMillis();
    Part<PoolState> part =
        pools.computeIfAbsent(
            step.partition(),
            number -> new Part<>(MemoryPartition.ofPools(number), new Downtime()));
    if (at > span.untilMillis()) {
      return;
    }
    part.downtime().entry(step.entry());
    Event event = step.entry().event();
    if (event instanceof PoolEvent about) {
      partitionOfPool.putIfAbsent(about.pool(), step.partition());
    }
    if (event instanceof ExecutorHeartbeat beat) {
      executors.put(beat.executor(), beat);
    }
    if (at < span.fromMillis()) {
      if (span.poolsAreWhole()) {
        part.before().refold(step);
      }
    } else if (event instanceof ExecutorHeartbeat beat) {
      // Most heartbeats are alike but for the units they name, and those are simulated.
      inputs.add(new Input(at, true, step.partition(), alike(beat)));
    } else if (event instanceof ExecutorGone || isFromOutside(event)) {
      inputs.add(new Input(at, true, step.partition(), event));
    }
  }

  private ExecutorHeartbeat alike(ExecutorHeartbeat beat) {
    ExecutorHeartbeat idle = SimulatedExecutors.naming(beat, List.of());
    return Objects.requireNonNullElse(beats.putIfAbsent(idle, idle), idle);
  }

  private void takeTable(JournalStep step) {
    long at = step.entry().atMillis();
    Part<TableState> part =
        tables.computeIfAbsent(
            step.partition(),
            number -> new Part<>(MemoryPartition.ofTables(number), new Downtime()));
    if (at > span.untilMillis()) {
      return;
    }
    part.downtime().entry(step.entry());
    MemoryPartition<TableState> all =
        whole.computeIfAbsent(step.partition(), MemoryPartition::ofTables);
    all.refold(step);
    happened.take(step, all);
    courses.take(step, all);
    Event event = step.entry().event();
    if (event instanceof TableEvent about && !about.table().equals(TableId.DEFAULT)) {
      partitionOfTable.putIfAbsent(about.table(), step.partition());
    }
    if (at < span.fromMillis()) {
      part.before().refold(step);
      simulated.take(step, part.before());
      return;
    }
    entries++;
    boolean otherRules =
        step.decisions().stream().anyMatch(one -> one.rulesVersion() != TableRules.VERSION);
    otherVersions += otherRules ? 1 : 0;
    if (event instanceof DemandEvent || isFromOutside(event) || isStillOrdered(event)) {
      inputs.add(new Input(at, false, step.partition(), event));
    }
  }

  /** Starts, settings and losses are facts of the time, whatever was decided then. */
  private static boolean isFromOutside(Event event) {
    return event instanceof PartitionEvent && !(event instanceof PartitionEvent.Tick);
  }

  /** What operators did, but for the policy that is replaced. */
  private boolean isStillOrdered(Event event) {
    boolean setsPolicy =
        event instanceof PolicyEvent.PolicySet || event instanceof PolicyEvent.PolicyCleared;
    return event instanceof PolicyEvent order && !(setsPolicy && order.table().equals(replaced));
  }
}
