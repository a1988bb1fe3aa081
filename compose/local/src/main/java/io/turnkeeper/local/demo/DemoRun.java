package io.turnkeeper.local.demo;

import io.turnkeeper.core.table.PolicyEvent.PolicySet;
import io.turnkeeper.events.EventProducer;
import io.turnkeeper.events.RecordCodec;
import io.turnkeeper.local.LocalNode;
import io.turnkeeper.local.story.Chronicle;
import io.turnkeeper.local.story.ChronicleReader;
import io.turnkeeper.local.verify.SealRecord;
import io.turnkeeper.local.verify.Verdict;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;

/** The demo on a node that runs: load, write, drain, verify. */
final class DemoRun {
  private static final List<String> SHARDS = List.of("writer-1", "writer-2");
  private static final Duration MERGE_LIMIT = Duration.ofMinutes(2);

  /** An index over so many rows takes seconds to prepare on any machine. */
  private static final long ROWS_OF_A_LONG_BUILD = 1_000_000;

  private final LocalNode node;
  private final DemoOptions options;
  private final Stage stage;
  private final Chronicle chronicle = new Chronicle(DemoTable.ID);

  DemoRun(LocalNode node, DemoOptions options, Stage stage) {
    this.node = node;
    this.options = options;
    this.stage = stage;
  }

  DemoReport run(PrintWriter out) throws Exception {
    RecordCodec codec = new RecordCodec();
    DemoTable table = new DemoTable(DemoTable.ID, options.tables());
    List<Path> records = SHARDS.stream().map(this::record).toList();
    try (BufferAllocator allocator = new RootAllocator();
        EventProducer producer =
            new EventProducer(
                Map.of("bootstrap.servers", node.bootstrap()), node.topics(), codec, "/demo");
        ChronicleReader reader =
            new ChronicleReader(node.bootstrap(), node.topics(), codec, DemoTable.ID, chronicle)) {
      reader.start();
      try (LiveView view = new LiveView(out, options.terminal(), stage, chronicle)) {
        view.start();
        work(table, producer, allocator);
      }
    }
    stage.next("verify", () -> 0);
    Verdict verdict = ChildVerifier.run(node, records);
    stage.next("done", () -> 1);
    return new DemoReport(
        verdict,
        chronicle.tell(),
        chronicle.mergesDuringIndexPreparation(),
        options.indexRows() >= ROWS_OF_A_LONG_BUILD,
        stage.millisByName());
  }

  private void work(DemoTable table, EventProducer producer, BufferAllocator allocator)
      throws Exception {
    try (RowSource rows = RowSource.open(options.data(), allocator)) {
      table.register(node.etcdUri(), producer, rows.schema(), allocator);
    }
    set(producer, DemoPolicies.loading(DemoTable.ID));
    try (Writers writers = Writers.open(SHARDS, this::open, table, producer, allocator)) {
      load(writers);
      set(producer, DemoPolicies.optedIn(DemoTable.ID));
      long began = System.nanoTime();
      double nanos = options.writeTime().toNanos();
      stage.next("write", () -> (System.nanoTime() - began) / nanos);
      writers.each(writer -> writer.write(options.writeTime()));
      set(producer, DemoPolicies.draining(DemoTable.ID));
    }
    Map<String, Long> sealed = sealed();
    double generations = sealed.values().stream().mapToLong(Long::longValue).sum();
    stage.next("drain", () -> chronicle.tell().mergedGenerations() / generations);
    new Drain(chronicle).awaitNothingLeft(sealed, MERGE_LIMIT);
  }

  private void load(Writers writers) throws Exception {
    long rows = options.indexRows();
    stage.next("load", () -> rows == 0 ? 1 : (double) writers.rowsSealed() / rows);
    writers.each(writer -> writer.load(writers.share(writer, rows)));
    Map<String, Long> sealed = sealed();
    double generations = Math.max(1, sealed.values().stream().mapToLong(Long::longValue).sum());
    stage.next("merge", () -> chronicle.tell().mergedGenerations() / generations);
    new Drain(chronicle).awaitMerged(sealed, MERGE_LIMIT);
  }

  private DemoWriter open(
      String shard, DemoTable table, EventProducer producer, BufferAllocator allocator)
      throws java.io.IOException {
    return DemoWriter.open(table, shard, options.data(), record(shard), producer, allocator);
  }

  private Path record(String shard) {
    return node.data().root().resolve(shard + ".sealed.jsonl");
  }

  /** By the writers' own record: the newest generation of each shard. */
  private Map<String, Long> sealed() throws java.io.IOException {
    Map<String, Long> newest = new TreeMap<>();
    for (String shard : SHARDS) {
      for (SealRecord.Sealed sealed : SealRecord.read(record(shard))) {
        newest.merge(shard, sealed.generation(), Math::max);
      }
    }
    return newest;
  }

  private static void set(EventProducer producer, PolicySet policy) throws Exception {
    producer.publish(policy).get();
  }
}
