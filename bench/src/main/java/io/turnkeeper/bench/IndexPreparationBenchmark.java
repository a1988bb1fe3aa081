package io.turnkeeper.bench;

import io.turnkeeper.core.Attempt;
import io.turnkeeper.core.ExecutorId;
import io.turnkeeper.core.Kind;
import io.turnkeeper.core.TableId;
import io.turnkeeper.core.UnitId;
import io.turnkeeper.core.table.Assignment.RunUnit;
import io.turnkeeper.core.table.IndexSpec;
import io.turnkeeper.core.table.IndexType;
import io.turnkeeper.core.table.Mode;
import io.turnkeeper.core.table.WorkSpec.BuildIndex;
import io.turnkeeper.events.RecordCodec;
import io.turnkeeper.worker.child.Attended;
import io.turnkeeper.worker.child.ChildWork;
import io.turnkeeper.worker.child.Children;
import io.turnkeeper.worker.work.Preparation;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.lance.Dataset;
import org.lance.index.Index;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/** A BTree prepared in a process that was ready, beside the same calls made here. */
@State(Scope.Thread)
@BenchmarkMode(org.openjdk.jmh.annotations.Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Fork(
    value = 3,
    jvmArgsAppend = {"-Xmx512m", "--add-opens=java.base/java.nio=ALL-UNNAMED"})
@Warmup(iterations = 2)
@Measurement(iterations = 5)
public class IndexPreparationBenchmark {
  private static final int FRAGMENTS = 10;
  private static final long RESERVED_BYTES = 512L << 20;

  /** The rows of the table. */
  @Param("5000000")
  public int rows;

  private BenchTable table;
  private Children children;
  private ChildWork work;
  private long units;

  /** The table, and a process that waits for work. */
  @Setup(Level.Trial)
  public void prepare() throws Exception {
    table = new BenchTable(FRAGMENTS, rows / FRAGMENTS);
    children = new Children(1);
    children.keepReady();
    work = new ChildWork(children, new RecordCodec());
  }

  /** Lance's own way. */
  @Benchmark
  public Index inOneCall() {
    try (Dataset dataset = table.open()) {
      return BenchTable.buildAtOnce(dataset, BenchTable.fragments(dataset));
    }
  }

  /** Fragment by fragment, which shows progress. */
  @Benchmark
  public Index byFragments() {
    try (Dataset dataset = table.open()) {
      return BenchTable.build(dataset, BenchTable.fragments(dataset));
    }
  }

  /** The same, and synced as a preparation must be before its turn. */
  @Benchmark
  public Index byFragmentsSynced() throws IOException {
    try (Dataset dataset = table.open()) {
      Index built = BenchTable.build(dataset, BenchTable.fragments(dataset));
      table.sync("_indices/" + built.uuid());
      return built;
    }
  }

  /** As a unit: in another process, staged, checked, synced and described. */
  @Benchmark
  public Preparation throughAChild() throws Exception {
    units++;
    RunUnit unit =
        new RunUnit(
            new Attempt(new UnitId(new TableId("bench"), units), 1, new ExecutorId("bench"), 1),
            Kind.INDEX,
            Mode.OUTSIDE,
            new BuildIndex(new IndexSpec("by_n", "n", IndexType.BTREE), List.of()),
            1,
            table.uri(),
            table.directory.resolve("wal").toString(),
            RESERVED_BYTES);
    return work.prepare(unit, new Unattended());
  }

  /** Ends the process and removes the table. */
  @TearDown(Level.Trial)
  public void remove() throws Exception {
    children.close();
    table.close();
  }

  /** Nobody wants to know. */
  private static final class Unattended implements Attended {
    @Override
    public void planned(long readVersion, List<Long> sourceFragments) {}

    @Override
    public void completed(long bytesRead, long bytesWritten, long rows, String step) {}

    @Override
    public boolean cancelled() {
      return false;
    }

    @Override
    public void whenOver(Runnable stop) {}

    @Override
    public void tellWhatIsDue() {}

    @Override
    public void peaked(long bytes) {}
  }
}
