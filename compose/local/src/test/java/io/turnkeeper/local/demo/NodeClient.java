package io.turnkeeper.local.demo;

import io.turnkeeper.core.Kind;
import io.turnkeeper.core.policy.PolicyDocument;
import io.turnkeeper.core.table.PolicyEvent.PolicySet;
import io.turnkeeper.events.EventProducer;
import io.turnkeeper.events.RecordCodec;
import io.turnkeeper.events.Topics;
import io.turnkeeper.local.Launched;
import io.turnkeeper.local.story.Chronicle;
import io.turnkeeper.local.story.ChronicleReader;
import io.turnkeeper.local.story.Telling;
import io.turnkeeper.local.story.UnitStory;
import io.turnkeeper.local.verify.SealRecord;
import io.turnkeeper.local.verify.Verdict;
import io.turnkeeper.local.verify.Verification;
import java.net.URI;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.ipc.ArrowFileWriter;

/** What a test does with a node that runs in another process, from the outside. */
final class NodeClient implements AutoCloseable {
  static final Path FLIGHTS = Path.of("data", "flights-20k.arrow");
  static final Duration LIMIT = Duration.ofSeconds(60);

  final Topics topics = new Topics(Topics.DEFAULT_PREFIX);
  final RecordCodec codec = new RecordCodec();
  final Launched.Addresses node;
  final DemoTable table;
  final Path records;
  final EventProducer producer;
  final BufferAllocator allocator = new RootAllocator();
  final Chronicle chronicle;
  private final ChronicleReader reader;

  NodeClient(Launched.Addresses node, DemoTable table, Path records) {
    this.node = node;
    this.table = table;
    this.records = records;
    producer =
        new EventProducer(Map.of("bootstrap.servers", node.kafka()), topics, codec, "/tests");
    chronicle = new Chronicle(table.id());
    reader = new ChronicleReader(node.kafka(), topics, codec, table.id(), chronicle);
    reader.start();
  }

  /** An Arrow file with the columns of the rows that {@link #seal} writes. */
  Path schemaFile() throws Exception {
    Path file = records.resolve("schema.arrow");
    try (RowSource rows = RowSource.open(FLIGHTS, allocator);
        VectorSchemaRoot batch = rows.next(1, "x", 0);
        FileChannel out =
            FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        ArrowFileWriter writer = new ArrowFileWriter(batch, null, out)) {
      writer.writeBatch();
      writer.end();
    }
    return file;
  }

  void register() throws Exception {
    try (RowSource rows = RowSource.open(FLIGHTS, allocator)) {
      table.register(URI.create(node.etcd()), producer, rows.schema(), allocator);
    }
  }

  void set(PolicyDocument policy) throws Exception {
    producer.publish(new PolicySet(table.id(), policy, "test", "as the test needs it")).get();
  }

  /** Seals {@code generations} generations of {@code rows} rows each into one shard. */
  void seal(String shard, int generations, int rows) throws Exception {
    try (DemoWriter writer =
        DemoWriter.open(table, shard, FLIGHTS, record(shard), producer, allocator)) {
      for (int i = 0; i < generations; i++) {
        writer.load(rows);
      }
    }
  }

  private Path record(String shard) {
    return records.resolve(shard + ".sealed.jsonl");
  }

  private List<Path> recordFiles() throws Exception {
    try (var files = Files.list(records)) {
      return files.filter(file -> file.toString().endsWith(".sealed.jsonl")).sorted().toList();
    }
  }

  Map<String, Long> sealed() throws Exception {
    Map<String, Long> newest = new TreeMap<>();
    List<SealRecord.Sealed> all = new ArrayList<>();
    for (Path file : recordFiles()) {
      all.addAll(SealRecord.read(file));
    }
    all.forEach(one -> newest.merge(one.shard(), one.generation(), Math::max));
    return newest;
  }

  void await(String expected, Predicate<Telling> condition) throws InterruptedException {
    new Drain(chronicle).await(condition, Duration.ZERO, LIMIT, expected);
  }

  /** How often the last unit of this kind was begun. */
  int attemptsOfTheLast(Kind kind) {
    return chronicle.tell().units().stream()
        .filter(unit -> unit.kind() == kind)
        .max(Comparator.comparingLong(UnitStory::unit))
        .orElseThrow()
        .attempts();
  }

  /** How often units of this kind were begun. */
  int attempts(Kind kind) {
    return chronicle.tell().units().stream()
        .filter(unit -> unit.kind() == kind)
        .mapToInt(UnitStory::attempts)
        .sum();
  }

  Verdict verify(String index) throws Exception {
    return new Verification(
            recordFiles(), URI.create(node.etcd()), node.kafka(), table.id(), index, 300)
        .run();
  }

  @Override
  public void close() {
    reader.close();
    producer.close();
    allocator.close();
  }
}
