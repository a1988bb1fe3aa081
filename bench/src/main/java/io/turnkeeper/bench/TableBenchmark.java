package io.turnkeeper.bench;

import io.turnkeeper.core.Decided;
import io.turnkeeper.core.Now;
import io.turnkeeper.core.ShardId;
import io.turnkeeper.core.TableId;
import io.turnkeeper.core.partition.DueTimes;
import io.turnkeeper.core.partition.Settings;
import io.turnkeeper.core.policy.PolicyDocument;
import io.turnkeeper.core.table.Context;
import io.turnkeeper.core.table.DemandEvent.SealSource;
import io.turnkeeper.core.table.DemandEvent.TableObserved;
import io.turnkeeper.core.table.DemandEvent.TableRegistered;
import io.turnkeeper.core.table.DemandEvent.WalSealed;
import io.turnkeeper.core.table.MergeMode;
import io.turnkeeper.core.table.TableDecision;
import io.turnkeeper.core.table.TableRules;
import io.turnkeeper.core.table.TableState;
import io.turnkeeper.core.table.Timers;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** One event of one table among many: folded, decided on, and its timer set anew. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(value = 1, jvmArgsAppend = "-Xmx1g")
@Warmup(iterations = 3, time = 3)
@Measurement(iterations = 5, time = 3)
public class TableBenchmark {
  private static final ShardId SHARD = new ShardId("s0");
  private static final long START_MILLIS = 1_800_000_000_000L;
  private static final Now NOW = new Now(START_MILLIS, 1_000);
  private static final Context CONTEXT = new Context(Settings.DEFAULT, PolicyDocument.EMPTY, 0);

  /** How many tables the partition has. */
  @Param({"1000", "10000", "100000"})
  public int tables;

  private TableState[] states = {};
  private DueTimes due = new DueTimes();
  private final SplittableRandom random = new SplittableRandom(1);

  /** Every table has a generation less than a merge needs. */
  @Setup
  public void fill() {
    states = new TableState[tables];
    due = new DueTimes();
    for (int table = 0; table < tables; table++) {
      TableId id = new TableId("team/table-" + table);
      TableState state = TableState.unknown(id);
      state =
          new TableRegistered(id, 1, "/tables/t", "/wal/t", List.of(), MergeMode.APPEND, List.of())
              .applyTo(state, NOW);
      state =
          new TableObserved(id, 1, 1, 4, 2, 1_000, 100, 1_000, 0, List.of(), 0, 0, START_MILLIS)
              .applyTo(state, NOW);
      states[table] = sealed(id, 7).applyTo(state, NOW);
      due.set(id.value(), START_MILLIS + random.nextInt(3_600_000));
    }
  }

  /** The generation that makes a merge due: a unit is opened and a place requested. */
  @Benchmark
  public TableState foldAndDecide() {
    TableState before = states[random.nextInt(states.length)];
    TableState after = sealed(before.table(), 8).applyTo(before, NOW);
    for (Decided<TableDecision> decided : TableRules.decide(after, CONTEXT, NOW)) {
      after = decided.decision().applyTo(after, NOW);
    }
    long next = Timers.nextDueMillis(after, CONTEXT, NOW);
    due.set(before.table().value(), next + random.nextInt(1_000));
    return after;
  }

  private static WalSealed sealed(TableId table, long through) {
    return new WalSealed(
        table,
        1,
        SHARD,
        1,
        through,
        through * 1_000,
        through * 10,
        START_MILLIS,
        SealSource.WRITER);
  }
}
