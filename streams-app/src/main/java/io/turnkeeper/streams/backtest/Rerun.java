package io.turnkeeper.streams.backtest;

import io.turnkeeper.core.Event;
import io.turnkeeper.core.TableId;
import io.turnkeeper.core.partition.DecisionRecord;
import io.turnkeeper.core.partition.PartitionEvent;
import io.turnkeeper.core.pool.ExecutorEvent.ExecutorGone;
import io.turnkeeper.core.pool.ExecutorEvent.ExecutorHeartbeat;
import io.turnkeeper.core.pool.PoolDecision.DeclareExecutorLost;
import io.turnkeeper.core.pool.PoolEvent;
import io.turnkeeper.core.pool.PoolState;
import io.turnkeeper.core.table.Assignment;
import io.turnkeeper.core.table.DemandEvent.TableObserved;
import io.turnkeeper.core.table.PolicyEvent;
import io.turnkeeper.core.table.TableEvent;
import io.turnkeeper.core.table.TableState;
import io.turnkeeper.events.JournalStep;
import io.turnkeeper.streams.MemoryPartition;
import java.util.Iterator;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Runs a recording again under another policy: what came from outside comes again at its time, all
 * else is decided anew and carried out by simulated executors. One thread, no clock, no lot.
 */
final class Rerun implements Surroundings {
  private static final String AUTHOR = "backtest";
  private static final PartitionEvent.Tick TICK = new PartitionEvent.Tick();

  private record Ticking(long atMillis, Runnable tick) {}

  private final Recording recording;
  private final BacktestOptions options;
  private final SimulatedExecutors executors;
  private final Agenda agenda = new Agenda();
  private final SortedMap<Integer, Station<TableState>> tables = new TreeMap<>();
  private final SortedMap<Integer, Station<PoolState>> pools = new TreeMap<>();
  private long nowMillis;

  Rerun(Recording recording, Durations durations, BacktestOptions options) {
    this.recording = recording;
    this.options = options;
    this.executors = new SimulatedExecutors(this, durations);
    recording.tables.forEach((number, part) -> tables.put(number, new Station<>(part)));
    recording.pools.forEach((number, part) -> pools.put(number, new Station<>(part)));
  }

  /** Runs to the end and counts what came of it. */
  Figures run() {
    long end = recording.span.untilMillis();
    nowMillis = recording.span.fromMillis();
    begin();
    Iterator<Recording.Input> inputs = recording.inputs.iterator();
    Recording.Input input = inputs.hasNext() ? inputs.next() : null;
    while (true) {
      Ticking ticking = nextToTick();
      long inputMillis = input == null ? Long.MAX_VALUE : input.atMillis();
      long next = Math.min(agenda.nextMillis(), Math.min(inputMillis, ticking.atMillis()));
      if (next > end) {
        break;
      }
      nowMillis = Math.max(nowMillis, next);
      // What executors say comes first: a look that was recorded after a publication sees it.
      if (agenda.nextMillis() == next) {
        agenda.runNext();
      } else if (input != null && inputMillis == next) {
        take(input);
        input = inputs.hasNext() ? inputs.next() : null;
      } else {
        ticking.tick().run();
      }
    }
    recording.simulated.end();
    return recording.simulated;
  }

  private void begin() {
    PolicyEvent.PolicySet policy =
        new PolicyEvent.PolicySet(
            options.replaced(), options.policy(), AUTHOR, "what if it had been so");
    tables.forEach(
        (number, station) -> {
          if (options.replaced().equals(TableId.DEFAULT)
              || number.equals(recording.partitionOfTable.get(options.replaced()))) {
            at(station, () -> takeTable(station, policy));
          }
          station.partition().keys().stream()
              .map(key -> Objects.requireNonNull(station.partition().get(key)))
              .forEach(executors::adopt);
        });
  }

  private Ticking nextToTick() {
    Ticking first = new Ticking(Long.MAX_VALUE, () -> {});
    for (Station<TableState> station : tables.values()) {
      if (station.nextTickMillis() < first.atMillis()) {
        first = new Ticking(station.nextTickMillis(), () -> takeTable(station, TICK));
      }
    }
    for (Station<PoolState> station : pools.values()) {
      if (station.nextTickMillis() < first.atMillis()) {
        first = new Ticking(station.nextTickMillis(), () -> takePool(station, TICK));
      }
    }
    return first;
  }

  private void take(Recording.Input input) {
    Event event = input.event();
    if (input.pool()) {
      Station<PoolState> pool = Objects.requireNonNull(pools.get(input.partition()));
      if (event instanceof ExecutorGone gone) {
        executors.stop(gone.executor(), gone.incarnation());
      }
      takePool(pool, event instanceof ExecutorHeartbeat beat ? executors.heard(beat) : event);
    } else {
      Station<TableState> table = Objects.requireNonNull(tables.get(input.partition()));
      takeTable(table, event instanceof TableObserved seen ? asOfNow(seen) : event);
    }
  }

  /** Versions are other ones now, so what was seen counts as seen at the newest. */
  private TableObserved asOfNow(TableObserved seen) {
    return new TableObserved(
        seen.table(),
        seen.tableIncarnation(),
        SimulatedAttempt.newestVersion(table(seen.table())),
        seen.fragments(),
        seen.smallFragments(),
        seen.smallFragmentBytes(),
        seen.rows(),
        seen.bytes(),
        seen.deletedRows(),
        seen.indexes(),
        seen.missingFiles(),
        seen.garbageBytes(),
        seen.lastWriteAtMillis());
  }

  private void takeTable(Station<TableState> station, Event event) {
    MemoryPartition.Taken taken = station.take(nowMillis, event);
    for (JournalStep step : taken.steps()) {
      recording.simulated.take(step, station.partition());
      for (DecisionRecord record : step.decisions()) {
        if (record.decision() instanceof Assignment order) {
          executors.take(order);
        }
      }
    }
    taken.told().forEach(this::say);
  }

  private void takePool(Station<PoolState> station, Event event) {
    MemoryPartition.Taken taken = station.take(nowMillis, event);
    for (JournalStep step : taken.steps()) {
      for (DecisionRecord record : step.decisions()) {
        if (record.decision() instanceof DeclareExecutorLost lost) {
          executors.stop(lost.executor(), lost.incarnation());
        }
      }
    }
    taken.told().forEach(this::say);
  }

  @Override
  public void after(long millis, Runnable action) {
    agenda.at(nowMillis + millis, action);
  }

  @Override
  public void say(Event event) {
    if (event instanceof TableEvent about) {
      Station<TableState> station =
          Objects.requireNonNull(tables.get(recording.partitionOfTable.get(about.table())));
      at(station, () -> takeTable(station, event));
    } else {
      PoolEvent about = (PoolEvent) event;
      // A pool nobody ever spoke of has no executors anywhere.
      Station<PoolState> station =
          pools.get(recording.partitionOfPool.getOrDefault(about.pool(), pools.firstKey()));
      at(Objects.requireNonNull(station), () -> takePool(station, event));
    }
  }

  /** As soon as somebody runs the partition. */
  private void at(Station<?> station, Runnable action) {
    agenda.at(station.up(nowMillis), action);
  }

  @Override
  public TableState table(TableId id) {
    Integer number = recording.partitionOfTable.get(id);
    TableState state =
        number == null
            ? null
            : Objects.requireNonNull(tables.get(number)).partition().get(id.value());
    return state == null ? TableState.unknown(id) : state;
  }
}
