package io.turnkeeper.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.lance.Dataset;
import org.lance.compaction.Compaction;
import org.lance.compaction.CompactionOptions;
import org.lance.compaction.CompactionTask;
import org.lance.compaction.RewriteResult;
import org.lance.operation.Rewrite;
import org.lance.operation.RewriteGroup;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/** How long a compaction that is prepared holds its turn, and what its index costs outside. */
@State(Scope.Thread)
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Fork(
    value = 1,
    jvmArgsAppend = {"-Xmx1g", "--add-opens=java.base/java.nio=ALL-UNNAMED"})
@Warmup(iterations = 1)
@Measurement(iterations = 5)
public class RemapBenchmark {
  private static final int FRAGMENTS = 20;

  /** The rows of the table, all indexed by a BTree and all rewritten. */
  @Param({"1000000", "5000000"})
  public int rows;

  private BenchTable table;
  private CompactionOptions options;
  private List<RewriteResult> rewritten;

  /** A table with its index, and its fragments rewritten into one. */
  @Setup(Level.Iteration)
  public void prepare() throws Exception {
    table = new BenchTable(FRAGMENTS, rows / FRAGMENTS);
    options = CompactionOptions.builder().withTargetRowsPerFragment(rows).withNumThreads(1).build();
    index();
    rewritten = new ArrayList<>();
    try (Dataset dataset = table.open()) {
      for (CompactionTask task : Compaction.planCompaction(dataset, options).getCompactionTasks()) {
        rewritten.add(task.execute(dataset));
      }
    }
  }

  private void index() {
    try (Dataset dataset = table.open()) {
      List<Integer> fragments = BenchTable.fragments(dataset);
      table.publish(dataset.version(), BenchTable.build(dataset, fragments), fragments);
    }
  }

  /** The commit that remaps the index, as Lance does it. */
  @Benchmark
  public void remapInTheTurn() {
    try (Dataset dataset = table.open()) {
      Compaction.commitCompaction(dataset, rewritten, options);
    }
  }

  /** The commit that leaves the rewritten fragments without an index. */
  @Benchmark
  public void rewriteInTheTurn() {
    rewrite();
  }

  /** That commit, then the index built anew, which needs no turn but for its own commit. */
  @Benchmark
  public void rewriteThenBuild() {
    rewrite();
    index();
  }

  private void rewrite() {
    List<RewriteGroup> groups =
        rewritten.stream()
            .map(
                result ->
                    RewriteGroup.builder()
                        .oldFragments(result.getOriginalFragments())
                        .newFragments(result.getNewFragments())
                        .build())
            .toList();
    long version;
    try (Dataset dataset = table.open()) {
      version = dataset.version();
    }
    table.commit(version, Rewrite.builder().groups(groups).rewrittenIndices(List.of()).build());
  }

  /** Removes the table. */
  @TearDown(Level.Iteration)
  public void remove() throws Exception {
    table.close();
  }
}
