package io.turnkeeper.core.pool;

import io.turnkeeper.core.Attempt;
import io.turnkeeper.core.Decided;
import io.turnkeeper.core.ExecutorId;
import io.turnkeeper.core.Kind;
import io.turnkeeper.core.Now;
import io.turnkeeper.core.PoolId;
import io.turnkeeper.core.TableId;
import io.turnkeeper.core.UnitId;
import io.turnkeeper.core.partition.Settings;
import io.turnkeeper.core.pool.ExecutorEvent.ExecutorGone;
import io.turnkeeper.core.pool.ExecutorEvent.ExecutorHeartbeat;
import io.turnkeeper.core.pool.ExecutorEvent.LiveUnit;
import io.turnkeeper.core.pool.InboxEvent.PlacementRequested;
import io.turnkeeper.core.pool.InboxEvent.ReservationEnded;
import io.turnkeeper.core.pool.PoolState.Reservation;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;

/** A walk through what tables and executors of one small pool may say. */
final class PoolWalk {
  static final PoolId POOL = new PoolId("default");
  static final Settings SETTINGS =
      new Settings(30_000, 5_000, 2_000, 15_000, 6, 600, List.of(), List.of());
  private static final Kind[] KINDS = {Kind.MERGE_WAL, Kind.COMPACT, Kind.INDEX};

  private final Random random;
  private PoolState state = PoolState.empty(POOL);
  private int steps;

  PoolWalk(Random random) {
    this.random = random;
  }

  /** One event later: what is decided. */
  List<Decided<PoolDecision>> step() {
    long at = 1_000 + 700L * steps++;
    Now now = new Now(at, at);
    state = event(state, random).applyTo(state, now);
    List<Decided<PoolDecision>> decisions = PoolRules.decide(state, SETTINGS, now);
    for (Decided<PoolDecision> decided : decisions) {
      state = decided.decision().applyTo(state, now);
    }
    return decisions;
  }

  static PoolEvent event(PoolState state, Random random) {
    int kind = random.nextInt(12);
    if (kind < 7) {
      return request(random);
    }
    List<Reservation> held = List.copyOf(state.reservations().values());
    if (kind < 10 && !held.isEmpty()) {
      Attempt attempt = held.get(random.nextInt(held.size())).attempt();
      return new ReservationEnded(POOL, attempt.unit(), attempt.number());
    }
    ExecutorId executor = new ExecutorId("e" + random.nextInt(4));
    long incarnation = random.nextInt(10) == 0 ? 2 : 1;
    return kind == 11 && random.nextInt(6) == 0
        ? new ExecutorGone(POOL, executor, incarnation)
        : heartbeat(executor, incarnation, held, random);
  }

  private static PlacementRequested request(Random random) {
    UnitId unit = new UnitId(new TableId("t" + random.nextInt(12)), 1 + random.nextInt(4));
    return new PlacementRequested(
        POOL,
        unit,
        1,
        KINDS[(int) unit.sequence() % KINDS.length], // A unit is of one kind all its life.
        random.nextInt(5),
        random.nextDouble() * 8,
        random.nextInt(50),
        random.nextInt(150));
  }

  private static ExecutorHeartbeat heartbeat(
      ExecutorId executor, long incarnation, List<Reservation> held, Random random) {
    SortedMap<Kind, Integer> slots = new TreeMap<>();
    for (Kind kind : KINDS) {
      slots.put(kind, random.nextInt(4));
    }
    List<LiveUnit> live = new ArrayList<>();
    for (Reservation reservation : held) {
      Attempt attempt = reservation.attempt();
      if (attempt.executor().equals(executor) && random.nextInt(5) > 0) {
        live.add(new LiveUnit(attempt.unit(), attempt.number()));
      }
    }
    return new ExecutorHeartbeat(
        POOL,
        executor,
        incarnation,
        slots,
        80 + random.nextInt(60),
        random.nextInt(8) == 0,
        "test",
        new TreeMap<>(),
        live);
  }
}
