package io.turnkeeper.core.simulation;

import io.turnkeeper.core.Event;
import io.turnkeeper.core.ExecutorId;
import io.turnkeeper.core.ShardId;
import io.turnkeeper.core.TableId;
import io.turnkeeper.core.UnitId;
import io.turnkeeper.core.partition.Settings;
import io.turnkeeper.core.pool.ExecutorEvent.ExecutorProbe;
import io.turnkeeper.core.pool.InboxEvent;
import io.turnkeeper.core.pool.PoolDecision;
import io.turnkeeper.core.pool.PoolEvent;
import io.turnkeeper.core.table.Assignment;
import io.turnkeeper.core.table.CheckpointEvent;
import io.turnkeeper.core.table.ClaimEvent;
import io.turnkeeper.core.table.DemandEvent;
import io.turnkeeper.core.table.DemandEvent.SealSource;
import io.turnkeeper.core.table.DemandEvent.TableRegistered;
import io.turnkeeper.core.table.DemandEvent.WalSealed;
import io.turnkeeper.core.table.MergeMode;
import io.turnkeeper.core.table.PlacementEvent;
import io.turnkeeper.core.table.Probe;
import io.turnkeeper.core.table.TableDecision;
import io.turnkeeper.core.table.TableEvent;
import io.turnkeeper.core.table.UnitDecision;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Tables, writers, executors and a scheduler on one thread under virtual time. The network delays
 * and repeats; order is kept within a topic and only there. Everything follows from the seed.
 */
final class SimWorld {
  private static final List<ShardId> SHARDS = List.of(new ShardId("s0"), new ShardId("s1"));
  private static final Settings SETTINGS = Settings.DEFAULT.preparing(List.of("*"), List.of("*"));

  private final Random random;
  private final SimClock clock = new SimClock();
  private final SimScheduler scheduler = new SimScheduler(clock, this::carryOut, this::carryOut);
  private final SortedMap<TableId, SimTable> tables = new TreeMap<>();
  private final List<SimExecutor> executors = new ArrayList<>();
  private final Map<String, Long> lastDelivery = new HashMap<>();
  private final SortedMap<String, Deque<Event>> topics = new TreeMap<>();
  private long incarnations;
  private long schedulerDownUntil;

  SimWorld(long seed, int tableCount, int executorCount) {
    random = new Random(seed);
    scheduler.start(SETTINGS);
    for (int i = 0; i < executorCount; i++) {
      SimExecutor executor = new SimExecutor(this, new ExecutorId("worker-" + i));
      executors.add(executor);
      executor.start();
    }
    for (int i = 0; i < tableCount; i++) {
      SimTable table = new SimTable(new TableId("table-" + i));
      tables.put(table.id(), table);
      say(
          new TableRegistered(
              table.id(), 1, "/t", "/w", List.of(), MergeMode.APPEND, List.of(SimTable.BY_ID)));
      say(table.observation(clock.nowMillis()));
    }
    ticks();
  }

  private void ticks() {
    clock.after(
        100,
        () -> {
          if (clock.nowMillis() >= schedulerDownUntil) {
            scheduler.tick();
          }
          ticks();
        });
  }

  /** Something happens: mostly writers seal, sometimes something breaks. */
  void disturb() {
    SimTable table = any(new ArrayList<>(tables.values()));
    switch ((int) random(40)) {
      case 0 -> any(executors).crash();
      case 1 -> any(executors).freeze(random(40_000));
      case 2 -> stopScheduler(random(60_000));
      default -> seal(table, any(SHARDS));
    }
  }

  void run(long millis) {
    long until = clock.nowMillis() + millis;
    while (clock.step(until)) {
      // Every action is a step; invariants are checked with every journal entry.
    }
    tables.values().forEach(scheduler.invariants()::check);
  }

  private void seal(SimTable table, ShardId shard) {
    long through = table.seal(shard);
    if (random(10) > 0) { // A writer may die between sealing and saying so.
      sealed(table, shard, through);
    }
  }

  void sealed(SimTable table, ShardId shard, long through) {
    say(
        new WalSealed(
            table.id(),
            shard,
            1,
            through,
            through * 1_000,
            through * 10,
            clock.nowMillis(),
            SealSource.WRITER));
  }

  private void stopScheduler(long millis) {
    schedulerDownUntil = clock.nowMillis() + millis;
    clock.at(
        schedulerDownUntil,
        () -> {
          if (clock.nowMillis() >= schedulerDownUntil) {
            scheduler.start(SETTINGS);
            readAll();
          }
        });
  }

  /** Sends an event to its topic; demand may arrive twice. */
  void say(Event event) {
    deliver(event, topicOf(event));
    if (event instanceof DemandEvent && random(20) == 0) {
      deliver(event, topicOf(event));
    }
  }

  private void deliver(Event event, String topic) {
    long at = Math.max(clock.nowMillis() + random(60), lastDelivery.getOrDefault(topic, 0L));
    lastDelivery.put(topic, at);
    clock.at(
        at,
        () -> {
          topics.computeIfAbsent(topic, name -> new ArrayDeque<>()).add(event);
          readAll();
        });
  }

  /** A scheduler that is down finds everything in its topics when it is back. */
  private void readAll() {
    for (Deque<Event> topic : topics.values()) {
      while (!topic.isEmpty() && clock.nowMillis() >= schedulerDownUntil) {
        Event event = topic.remove();
        if (event instanceof TableEvent tableEvent) {
          scheduler.take(tableEvent);
        } else {
          scheduler.take((PoolEvent) event);
        }
      }
    }
  }

  private static String topicOf(Event event) {
    if (event instanceof DemandEvent) {
      return "demand";
    }
    if (event instanceof ClaimEvent) {
      return "claim";
    }
    if (event instanceof CheckpointEvent) {
      return "checkpoint";
    }
    if (event instanceof PlacementEvent) {
      return "placement";
    }
    if (event instanceof InboxEvent) {
      return "pool-inbox";
    }
    return event instanceof PoolEvent ? "executor" : "publish";
  }

  private void carryOut(TableDecision decision) {
    if (decision instanceof Assignment assignment) {
      executors.stream()
          .filter(executor -> executor.id().equals(assignment.attempt().executor()))
          .forEach(executor -> executor.receive(assignment));
    } else if (decision instanceof UnitDecision.RequestPlacement r) {
      say(
          new InboxEvent.PlacementRequested(
              r.pool(),
              r.unit(),
              r.attempt(),
              r.kind(),
              r.rank(),
              r.score(),
              r.waitSinceMillis(),
              r.expectedBytes()));
    } else if (decision instanceof UnitDecision.WithdrawPlacement w) {
      say(new InboxEvent.PlacementWithdrawn(w.pool(), w.unit(), w.attempt()));
    } else if (decision instanceof UnitDecision.EndReservation e) {
      say(new InboxEvent.ReservationEnded(e.pool(), e.unit(), e.attempt()));
    } else if (decision instanceof UnitDecision.SendProbe probe) {
      deliver(
          new Probe(probe.unit(), probe.number()),
          switch (probe.topic()) {
            case CLAIM -> "claim";
            case CHECKPOINT -> "checkpoint";
            case PUBLISH -> "publish";
          });
    }
  }

  private void carryOut(PoolDecision decision) {
    if (decision instanceof PoolDecision.PlaceUnit place) {
      say(new PlacementEvent.UnitPlaced(place.pool(), place.attempt(), place.reservedBytes()));
    } else if (decision instanceof PoolDecision.RefusePlacement refuse) {
      say(
          new PlacementEvent.PlacementRefused(
              refuse.pool(), refuse.unit(), refuse.attempt(), refuse.code()));
    } else if (decision instanceof PoolDecision.DeclareExecutorLost lost) {
      Map<TableId, List<UnitId>> byTable = new TreeMap<>();
      lost.units()
          .forEach(unit -> byTable.computeIfAbsent(unit.table(), t -> new ArrayList<>()).add(unit));
      byTable.forEach(
          (table, units) ->
              say(
                  new PlacementEvent.ExecutorLost(
                      table, lost.executor(), lost.incarnation(), units)));
    } else if (decision instanceof PoolDecision.ProbeExecutor probe) {
      say(new ExecutorProbe(probe.pool(), probe.executor(), probe.incarnation()));
    }
  }

  boolean isQuiet() {
    return scheduler.pool().reservations().isEmpty()
        && tables.keySet().stream().allMatch(id -> scheduler.state(id).units().isEmpty());
  }

  long random(long bound) {
    return bound <= 0 ? 0 : random.nextLong(bound);
  }

  private <T> T any(List<T> some) {
    return some.get(random.nextInt(some.size()));
  }

  long nextIncarnation() {
    return ++incarnations;
  }

  SimClock clock() {
    return clock;
  }

  SimTable table(TableId id) {
    SimTable table = tables.get(id);
    if (table == null) {
      throw new IllegalStateException("expected table " + id);
    }
    return table;
  }

  SortedMap<TableId, SimTable> tables() {
    return tables;
  }

  SimScheduler scheduler() {
    return scheduler;
  }
}
