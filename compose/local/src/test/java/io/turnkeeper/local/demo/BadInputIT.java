package io.turnkeeper.local.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.turnkeeper.core.ShardId;
import io.turnkeeper.core.TableId;
import io.turnkeeper.core.partition.DecisionRecord;
import io.turnkeeper.core.partition.JournalEntry;
import io.turnkeeper.core.table.DemandEvent.SealSource;
import io.turnkeeper.core.table.DemandEvent.WalSealed;
import io.turnkeeper.core.table.PublishEvent.UnitFailed;
import io.turnkeeper.events.CommittedReader;
import io.turnkeeper.events.Topic;
import io.turnkeeper.events.Topics;
import io.turnkeeper.local.Launched;
import io.turnkeeper.local.story.ChronicleReader;
import io.turnkeeper.local.story.JournalListener;
import io.turnkeeper.local.verify.Verdict;
import io.turnkeeper.streams.ActCommand;
import io.turnkeeper.streams.ConfigException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class BadInputIT {
  private static final Duration UP = Duration.ofSeconds(60);
  private static final int ROWS = 500;

  @TempDir static Path temp;
  private static Launched up;

  @BeforeAll
  static void start() throws Exception {
    up = Launched.start(temp, "", "up", "--data-dir=" + temp.resolve("data"));
    up.awaitUp(UP);
  }

  @AfterAll
  static void stop() throws Exception {
    up.close();
  }

  /** The failures that the journal of one table tells of. */
  private static final class Failures implements JournalListener {
    final TableId table;
    final List<UnitFailed> failed = new CopyOnWriteArrayList<>();

    Failures(TableId table) {
      this.table = table;
    }

    @Override
    public void entry(JournalEntry entry) {
      if (entry.event() instanceof UnitFailed event && event.table().equals(table)) {
        failed.add(event);
      }
    }

    @Override
    public void decision(DecisionRecord decision) {}
  }

  @Test
  void generationsThatCannotBeReadAreNamedAndTheOtherShardGoesOn() throws Exception {
    Path records = Files.createDirectory(temp.resolve("bad"));
    DemoTable table = new DemoTable(new TableId("bad"), records.toString());
    Failures failures = new Failures(table.id());
    try (NodeClient client = new NodeClient(up.awaitUp(UP), table, records);
        ChronicleReader reader =
            new ChronicleReader(
                client.node.kafka(), client.topics, client.codec, table.id(), failures)) {
      reader.start();
      client.register();
      client.set(TestPolicies.merging(1_000));
      for (String shard : List.of("truncated", "empty", "other-schema", "not-arrow", "good")) {
        client.seal(shard, 1, ROWS);
      }
      Path good = generation(table, "good", 1);
      plant(client, "truncated", cut(good));
      plant(client, "empty", new byte[0]);
      plant(client, "other-schema", OtherSchema.stream(client.allocator));
      plant(client, "not-arrow", "delay,distance\n1,2\n".getBytes(StandardCharsets.UTF_8));
      client.set(TestPolicies.merging(1));
      client.await(
          "all good generations merged",
          telling ->
              telling.mergedGenerations() == 5
                  && failures.failed.stream().map(BadInputIT::shardOf).distinct().count() == 4);
      client.seal("good", 2, ROWS);
      client.await(
          "the good shard goes on",
          telling -> telling.mergedThrough().getOrDefault("good", 0L) == 3);
      for (UnitFailed failed : failures.failed) {
        assertThat(failed.code()).isEqualTo("INVALID_WAL");
        assertThat(failed.message()).contains(shardOf(failed) + "/" + "00000000000000000002.arrow");
      }
      assertThat(failures.failed).as("no crash loop").hasSizeLessThanOrEqualTo(8);
      Verdict verdict = client.verify("");
      assertThat(verdict.problems()).isEmpty();
      assertThat(verdict.rowsInTable()).isEqualTo(7 * ROWS);

      assertThat(skip(client, "empty", 1)).as("one that was merged").isEqualTo(2);
      assertThat(skip(client, "empty", 2)).isZero();
      client.await(
          "the shard goes on behind what was skipped",
          telling -> telling.mergedThrough().getOrDefault("empty", 0L) == 2);
    }
  }

  private static int skip(NodeClient client, String shard, long generation) {
    return new CommandLine(new ActCommand())
        .setExecutionExceptionHandler((e, line, parsed) -> e instanceof ConfigException ? 2 : 1)
        .execute(
            "skip",
            client.table.id().value(),
            shard,
            Long.toString(generation),
            "--reason=its writer died",
            "--bootstrap-servers=" + client.node.kafka());
  }

  private static String shardOf(UnitFailed failed) {
    var bad = failed.badGeneration();
    return bad == null ? "" : bad.shard().value();
  }

  private static Path generation(DemoTable table, String shard, long generation) {
    return Path.of(table.wal(), shard).resolve(String.format("%020d.arrow", generation));
  }

  private static byte[] cut(Path file) throws Exception {
    byte[] bytes = Files.readAllBytes(file);
    return Arrays.copyOf(bytes, bytes.length * 2 / 3);
  }

  /** Puts a second generation into a shard, as a broken writer would. */
  private static void plant(NodeClient client, String shard, byte[] bytes) throws Exception {
    Files.write(generation(client.table, shard, 2), bytes);
    client
        .producer
        .publish(
            new WalSealed(
                client.table.id(),
                client.table.incarnation(),
                new ShardId(shard),
                1,
                2,
                100_000,
                2 * ROWS,
                System.currentTimeMillis(),
                SealSource.WRITER))
        .get();
  }

  @Test
  void garbageOnDemandIsRejectedAndTheNextRecordIsHandled() throws Exception {
    Path records = Files.createDirectory(temp.resolve("garbage"));
    DemoTable table = new DemoTable(new TableId("garbage"), records.toString());
    byte[] garbage = "this is no event".getBytes(StandardCharsets.UTF_8);
    try (NodeClient client = new NodeClient(up.awaitUp(UP), table, records);
        KafkaProducer<byte[], byte[]> producer =
            new KafkaProducer<>(
                Map.of("bootstrap.servers", client.node.kafka()),
                new ByteArraySerializer(),
                new ByteArraySerializer())) {
      client.register();
      client.set(TestPolicies.merging(1));
      producer
          .send(
              new ProducerRecord<>(
                  client.topics.name(Topic.DEMAND), Topics.utf8(table.id().value()), garbage))
          .get();
      client.seal("a", 1, ROWS);
      client.await("the next record handled", telling -> telling.mergedGenerations() == 1);
      ConsumerRecord<byte[], byte[]> rejected = rejected(client, garbage);
      assertThat(
              Arrays.stream(rejected.headers().toArray())
                  .map(header -> new String(header.value(), StandardCharsets.UTF_8)))
          .contains("NOT_SINGLE_OBJECT");
    }
  }

  private static ConsumerRecord<byte[], byte[]> rejected(NodeClient client, byte[] value) {
    String topic = client.topics.name(Topic.REJECTED);
    List<ConsumerRecord<byte[], byte[]>> found = new ArrayList<>();
    try (CommittedReader reader =
        new CommittedReader(Map.of("bootstrap.servers", client.node.kafka()))) {
      long deadline = System.nanoTime() + NodeClient.LIMIT.toNanos();
      while (found.isEmpty() && System.nanoTime() < deadline) {
        reader.readAll(
            topic,
            record -> {
              if (Arrays.equals(record.value(), value)) {
                found.add(record);
              }
            });
      }
    }
    assertThat(found).as("the record in " + topic).hasSize(1);
    return found.get(0);
  }
}
