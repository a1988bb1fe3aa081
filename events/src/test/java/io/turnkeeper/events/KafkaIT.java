package io.turnkeeper.events;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.turnkeeper.core.Event;
import io.turnkeeper.core.TableId;
import io.turnkeeper.core.partition.DecisionRecord;
import io.turnkeeper.core.partition.JournalEntry;
import io.turnkeeper.core.partition.PartitionEvent;
import io.turnkeeper.core.pool.PoolEvent;
import io.turnkeeper.core.table.DemandEvent;
import io.turnkeeper.core.table.PolicyEvent;
import io.turnkeeper.core.table.TableEvent;
import io.turnkeeper.events.CommittedRecords.WhenGone;
import io.turnkeeper.events.wal.SealOutcome;
import io.turnkeeper.events.wal.WalWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.IntVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.NewPartitions;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KafkaIT {
  private static final Duration DEADLINE = Duration.ofSeconds(30);

  @TempDir static Path directory;
  private static TestBroker broker;
  private static Admin admin;
  private final RecordCodec codec = new RecordCodec();

  @BeforeAll
  static void start() throws Exception {
    broker = new TestBroker(directory.resolve("kafka"));
    admin = broker.admin();
  }

  @AfterAll
  static void stop() {
    admin.close();
    broker.close();
  }

  @Test
  void creatingTopicsTwiceChangesNothing() {
    Topics topics = new Topics("twice.");

    assertThat(topics.create(admin, (short) 1)).hasSize(Topic.values().length);
    assertThat(topics.create(admin, (short) 1)).isEmpty();
    assertThat(topics.check(admin)).isEmpty();
  }

  @Test
  void missingTopicsAreNamedWithTheCommandThatCreatesThem() {
    List<TopicProblem> problems = new Topics("nowhere.").check(admin);

    assertThat(problems).hasSize(Topic.values().length);
    assertThat(problems)
        .anySatisfy(
            problem ->
                assertThat(problem.remedy())
                    .isEqualTo(
                        "kafka-topics.sh --bootstrap-server "
                            + broker.bootstrap()
                            + " --create --topic nowhere.journal --partitions 8"
                            + " --config cleanup.policy=delete"
                            + " --config max.message.bytes=8454144"
                            + " --config retention.bytes=-1 --config retention.ms=-1"));
  }

  @Test
  void aJournalThatWouldForgetIsReported() throws Exception {
    Topics topics = new Topics("bent.");
    topics.create(admin, (short) 1);
    set("bent.journal", "cleanup.policy", "compact");
    set("bent.decision", "retention.ms", "86400000");
    set("bent.policy", "retention.bytes", "1000000000");
    set("bent.demand", "max.message.bytes", "1000");
    set("bent.table-state", "cleanup.policy", "delete");
    admin.createPartitions(Map.of("bent.executor", NewPartitions.increaseTo(2))).all().get();

    List<TopicProblem> problems = problemsOnceThereAre(6, topics);

    assertThat(problems)
        .extracting(TopicProblem::topic)
        .containsExactlyInAnyOrder(
            "bent.journal",
            "bent.decision",
            "bent.policy",
            "bent.demand",
            "bent.table-state",
            "bent.executor");
    assertThat(problems)
        .filteredOn(problem -> problem.topic().equals("bent.decision"))
        .singleElement()
        .satisfies(
            problem ->
                assertThat(problem)
                    .hasToString(
                        "bent.decision: expected no limit, since nothing may be lost, but"
                            + " retention.ms is '86400000'; mend it with: kafka-configs.sh"
                            + " --bootstrap-server "
                            + broker.bootstrap()
                            + " --alter --entity-type topics --entity-name bent.decision"
                            + " --add-config retention.ms=-1"));
  }

  @Test
  void aTopicThatHoldsRecordsIsNeverToBeDeleted() throws Exception {
    Topics topics = new Topics("grown.");
    topics.create(admin, (short) 1);
    int more = topics.tablePartitions() + 2;
    for (Topic topic : List.of(Topic.JOURNAL, Topic.CLAIM)) {
      NewPartitions grown = NewPartitions.increaseTo(more);
      admin.createPartitions(Map.of(topics.name(topic), grown)).all().get();
    }
    try (var producer =
        new KafkaProducer<byte[], byte[]>(EventProducer.settings(broker.clientSettings()))) {
      producer.send(new ProducerRecord<>(topics.name(Topic.JOURNAL), 0, null, new byte[1])).get();
    }
    List<TopicProblem> problems = problemsOnceThereAre(2, topics);
    assertThat(problems)
        .extracting(TopicProblem::topic, TopicProblem::remedy)
        .containsExactlyInAnyOrder(
            tuple(
                "grown.journal",
                "table.partitions=10 in the scheduler's settings, or --table-partitions 10"),
            tuple(
                "grown.claim",
                "kafka-topics.sh --bootstrap-server "
                    + broker.bootstrap()
                    + " --delete --topic grown.claim"));
  }

  @Test
  void eventsArriveOnTheirTopicWithKeyAndHeaders() throws Exception {
    Topics topics = new Topics("sent.");
    topics.create(admin, (short) 1);
    TableEvent sealed = (TableEvent) Samples.events().get(0);
    PoolEvent heartbeat =
        (PoolEvent)
            Samples.events().stream().filter(PoolEvent.class::isInstance).findFirst().orElseThrow();
    try (EventProducer producer =
        new EventProducer(broker.clientSettings(), topics, codec, "/tests/kafka")) {
      var metadata = producer.publish(sealed).get(30, TimeUnit.SECONDS);
      producer.publish(heartbeat).get(30, TimeUnit.SECONDS);

      assertThat(metadata.topic()).isEqualTo("sent.demand");
      assertThat(metadata.partition())
          .isEqualTo(Topics.partitionOf(Topics.keyOf(sealed), topics.tablePartitions()));
    }
    ConsumerRecord<byte[], byte[]> demand = read(topics, Topic.DEMAND, 1).get(0);
    assertThat(new String(demand.key(), StandardCharsets.UTF_8)).isEqualTo("lager/straße");
    assertThat(codec.decode(demand.value())).isEqualTo(sealed);
    assertThat(header(demand, "ce_type")).isEqualTo("io.turnkeeper.WalSealed");
    assertThat(header(demand, "ce_source")).isEqualTo("/tests/kafka");
    assertThat(header(demand, "ce_specversion")).isEqualTo("1.0");
    assertThat(header(demand, "ce_id")).hasSize(36);
    assertThat(header(demand, "ce_time")).endsWith("Z");
    assertThat(header(demand, "content-type")).isEqualTo("application/avro");
    assertThat(codec.decode(read(topics, Topic.EXECUTOR, 1).get(0).value())).isEqualTo(heartbeat);
  }

  @Test
  void aSealedGenerationIsAnnounced(@TempDir Path wal) throws Exception {
    Topics topics = new Topics("wal.");
    topics.create(admin, (short) 1);
    try (EventProducer producer =
            new EventProducer(broker.clientSettings(), topics, codec, "/writers/a");
        var allocator = new RootAllocator();
        var ids = new IntVector("id", allocator);
        var batch = VectorSchemaRoot.of(ids);
        WalWriter writer =
            WalWriter.open(
                Samples.TABLE,
                1,
                wal.toString(),
                Samples.SHARD,
                producer::publish,
                Clock.systemUTC())) {
      ids.allocateNew(1);
      ids.set(0, 7);
      batch.setRowCount(1);
      writer.append(batch);
      SealOutcome outcome = writer.seal();
      assertThat(outcome)
          .isInstanceOfSatisfying(
              SealOutcome.Sealed.class,
              done -> assertThat(done.announced()).succeedsWithin(DEADLINE));
      assertThat(codec.decode(read(topics, Topic.DEMAND, 1).get(0).value()))
          .isEqualTo(
              writer
                  .mark()
                  .toEvent(Samples.TABLE, 1, Samples.SHARD, DemandEvent.SealSource.WRITER));
    }
  }

  @Test
  void theDefaultPolicyReachesEveryPartition() throws Exception {
    Topics topics = new Topics("policy.");
    topics.create(admin, (short) 1);
    try (EventProducer producer =
        new EventProducer(broker.clientSettings(), topics, codec, "/tests")) {
      producer
          .publish(new PolicyEvent.PolicyCleared(TableId.DEFAULT, "ana", "start over"))
          .get(30, TimeUnit.SECONDS);
    }
    assertThat(read(topics, Topic.POLICY, 8))
        .extracting(ConsumerRecord::partition)
        .containsExactlyInAnyOrder(0, 1, 2, 3, 4, 5, 6, 7);
  }

  @Test
  void theJournalIsReadInOrderWithItsDecisions() throws Exception {
    Topics topics = new Topics("history.");
    topics.create(admin, (short) 1);
    int partition = Topics.partitionOf(Topics.utf8(Samples.TABLE.value()), 8);
    JournalEntry first = entry(1, Samples.events().get(0));
    JournalEntry tick = entry(2, new PartitionEvent.Tick());
    JournalEntry third = entry(3, Samples.events().get(4));
    List<DecisionRecord> ofFirst = List.of(decision(partition, 1, 0), decision(partition, 1, 1));
    List<DecisionRecord> ofThird = List.of(decision(partition, 3, 0));
    try (KafkaProducer<byte[], byte[]> producer = transactional()) {
      producer.initTransactions();
      write(producer, topics, partition, first, ofFirst, true);
      write(producer, topics, partition, entry(2, Samples.events().get(1)), List.of(), false);
      write(producer, topics, partition, tick, List.of(), true);
      write(producer, topics, partition, third, ofThird, true);
    }
    try (AuditReader reader = new AuditReader(broker.clientSettings(), topics, codec)) {
      List<JournalStep> steps = new ArrayList<>();
      reader.tables(steps::add);

      assertThat(steps)
          .containsExactly(
              new JournalStep(partition, first, ofFirst),
              new JournalStep(partition, tick, List.of()),
              new JournalStep(partition, third, ofThird));
      assertThat(reader.table(Samples.TABLE)).containsExactly(steps.get(0), steps.get(2));
      reader.pools(step -> assertThat(step).as("no pool has a journal").isNull());
    }
  }

  @Test
  void aStrangeRecordInTheJournalIsNamedByItsPlace() throws Exception {
    Topics topics = new Topics("strange.");
    topics.create(admin, (short) 1);
    try (KafkaProducer<byte[], byte[]> producer = transactional()) {
      producer.initTransactions();
      producer.beginTransaction();
      producer.send(new ProducerRecord<>("strange.journal", 2, new byte[0], new byte[] {1})).get();
      producer.commitTransaction();
    }
    try (AuditReader reader = new AuditReader(broker.clientSettings(), topics, codec)) {
      assertThatThrownBy(() -> reader.tables(step -> {}))
          .isInstanceOf(InvalidRecordException.class)
          .hasMessageStartingWith("strange.journal-2@0: expected Avro single-object encoding");
    }
  }

  private static JournalEntry entry(long sequence, Event event) {
    return new JournalEntry(sequence, Samples.AT, null, event);
  }

  private static DecisionRecord decision(int partition, long sequence, int index) {
    return new DecisionRecord(
        partition, sequence, index, 1, Samples.decisions().get(3), "because " + index);
  }

  private static KafkaProducer<byte[], byte[]> transactional() {
    Map<String, Object> settings = new HashMap<>(broker.clientSettings());
    settings.put("transactional.id", UUID.randomUUID().toString());
    return new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer());
  }

  private void write(
      KafkaProducer<byte[], byte[]> producer,
      Topics topics,
      int partition,
      JournalEntry entry,
      List<DecisionRecord> decisions,
      boolean commit)
      throws Exception {
    byte[] key = Topics.utf8(Samples.TABLE.value());
    producer.beginTransaction();
    producer
        .send(new ProducerRecord<>(topics.name(Topic.JOURNAL), partition, key, codec.encode(entry)))
        .get();
    for (DecisionRecord decision : decisions) {
      producer
          .send(
              new ProducerRecord<>(
                  topics.name(Topic.DECISION), partition, key, codec.encode(decision)))
          .get();
    }
    if (commit) {
      producer.commitTransaction();
    } else {
      producer.abortTransaction();
    }
  }

  /** Brokers learn of a changed setting some time after the cluster accepted it. */
  private static List<TopicProblem> problemsOnceThereAre(int count, Topics topics) {
    long deadline = System.nanoTime() + DEADLINE.toNanos();
    List<TopicProblem> problems = topics.check(admin);
    while (problems.size() < count && System.nanoTime() < deadline) {
      problems = topics.check(admin);
    }
    return problems;
  }

  private static List<ConsumerRecord<byte[], byte[]>> read(Topics topics, Topic topic, int count) {
    List<ConsumerRecord<byte[], byte[]>> records = new ArrayList<>();
    try (var consumer = CommittedRecords.consumer(broker.clientSettings(), WhenGone.NONE)) {
      List<TopicPartition> partitions =
          IntStream.range(0, topics.partitions(topic))
              .mapToObj(partition -> new TopicPartition(topics.name(topic), partition))
              .toList();
      consumer.assign(partitions);
      consumer.seekToBeginning(partitions);
      long deadline = System.nanoTime() + DEADLINE.toNanos();
      while (records.size() < count && System.nanoTime() < deadline) {
        consumer.poll(Duration.ofMillis(200)).forEach(records::add);
      }
    }
    assertThat(records).hasSize(count);
    return records;
  }

  private static String header(ConsumerRecord<byte[], byte[]> record, String name) {
    return new String(record.headers().lastHeader(name).value(), StandardCharsets.UTF_8);
  }

  private static void set(String topic, String name, String value) throws Exception {
    admin
        .incrementalAlterConfigs(
            Map.of(
                new ConfigResource(ConfigResource.Type.TOPIC, topic),
                List.of(new AlterConfigOp(new ConfigEntry(name, value), AlterConfigOp.OpType.SET))))
        .all()
        .get();
  }
}
