package io.turnkeeper.bench;

import io.turnkeeper.core.Attempt;
import io.turnkeeper.core.Decided;
import io.turnkeeper.core.ExecutorId;
import io.turnkeeper.core.Kind;
import io.turnkeeper.core.Now;
import io.turnkeeper.core.PoolId;
import io.turnkeeper.core.TableId;
import io.turnkeeper.core.UnitId;
import io.turnkeeper.core.partition.Settings;
import io.turnkeeper.core.pool.ExecutorEvent.ExecutorHeartbeat;
import io.turnkeeper.core.pool.InboxEvent.PlacementRequested;
import io.turnkeeper.core.pool.InboxEvent.ReservationEnded;
import io.turnkeeper.core.pool.PoolDecision;
import io.turnkeeper.core.pool.PoolDecision.PlaceUnit;
import io.turnkeeper.core.pool.PoolRules;
import io.turnkeeper.core.pool.PoolState;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** Placements a second with 10,000 waiting units and 100 executors. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 3)
@Measurement(iterations = 5, time = 3)
public class PlacementBenchmark {
  private static final PoolId POOL = new PoolId("default");
  private static final int WAITING = 10_000;
  private static final int EXECUTORS = 100;
  private static final int SLOTS = 100;
  private static final long MIB = 1L << 20;
  private static final Now NOW = new Now(1_000, 1_000);
  private static final Settings SETTINGS =
      new Settings(30_000, 5_000, 2_000, 15_000, 1L << 50, 1L << 50, List.of(), List.of());

  private PoolState waiting = PoolState.empty(POOL);
  private PoolState busy = PoolState.empty(POOL);
  private final Deque<Attempt> running = new ArrayDeque<>();
  private int requested;

  /** All wait and nobody is there yet; then all executors are full and as many wait again. */
  @Setup
  public void fill() {
    for (int unit = 0; unit < WAITING; unit++) {
      waiting = request().applyTo(waiting, NOW);
    }
    waiting = withExecutors(waiting);
    busy = folded(waiting, decide(waiting));
    busy.reservations().values().forEach(reservation -> running.add(reservation.attempt()));
    for (int unit = busy.requests().size(); unit < WAITING; unit++) {
      busy = request().applyTo(busy, NOW);
      busy = folded(busy, decide(busy));
    }
  }

  /** Everybody is placed at once. */
  @Benchmark
  @OperationsPerInvocation(WAITING)
  public PoolState placeAll() {
    return folded(waiting, decide(waiting));
  }

  /** A unit ends, another takes its place, a new one comes to wait. */
  @Benchmark
  public PoolState placeOne() {
    Attempt ended = running.remove();
    busy = new ReservationEnded(POOL, ended.unit(), ended.number()).applyTo(busy, NOW);
    List<Decided<PoolDecision>> decisions = decide(busy);
    for (Decided<PoolDecision> decided : decisions) {
      running.add(((PlaceUnit) decided.decision()).attempt());
    }
    busy = request().applyTo(folded(busy, decisions), NOW);
    return busy;
  }

  private static PoolState folded(PoolState before, List<Decided<PoolDecision>> decisions) {
    PoolState after = before;
    for (Decided<PoolDecision> decided : decisions) {
      after = decided.decision().applyTo(after, NOW);
    }
    return after;
  }

  private static List<Decided<PoolDecision>> decide(PoolState state) {
    return PoolRules.decide(state, SETTINGS, NOW);
  }

  private PlacementRequested request() {
    int number = requested++;
    return new PlacementRequested(
        POOL,
        new UnitId(new TableId("table-" + number % 13_000), 1 + number / 13_000),
        1,
        Kind.values()[number % 3],
        1 + number % 4,
        1 + number % 50,
        number,
        (1 + number % 64) * MIB);
  }

  private static PoolState withExecutors(PoolState before) {
    PoolState after = before;
    for (int executor = 0; executor < EXECUTORS; executor++) {
      ExecutorHeartbeat beat =
          new ExecutorHeartbeat(
              POOL,
              new ExecutorId("executor-" + executor),
              1,
              new TreeMap<>(
                  Map.of(
                      Kind.MERGE_WAL, SLOTS / 2, Kind.COMPACT, SLOTS / 2, Kind.INDEX, SLOTS / 2)),
              4_096 * MIB,
              false,
              "1",
              new TreeMap<>(),
              List.of());
      after = beat.applyTo(after, NOW);
    }
    return after;
  }
}
