package io.turnkeeper.streams;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import io.turnkeeper.core.ExecutorId;
import io.turnkeeper.core.Kind;
import io.turnkeeper.core.PoolId;
import io.turnkeeper.core.ShardId;
import io.turnkeeper.core.TableId;
import io.turnkeeper.core.partition.JournalEntry;
import io.turnkeeper.core.partition.Settings;
import io.turnkeeper.core.partition.Source;
import io.turnkeeper.core.pool.ExecutorEvent.ExecutorHeartbeat;
import io.turnkeeper.core.table.DemandEvent.SealSource;
import io.turnkeeper.core.table.DemandEvent.TableRegistered;
import io.turnkeeper.core.table.DemandEvent.WalSealed;
import io.turnkeeper.core.table.MergeMode;
import io.turnkeeper.events.RecordCodec;
import io.turnkeeper.events.Topic;
import io.turnkeeper.events.Topics;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericDatumReader;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.DecoderFactory;
import org.apache.avro.io.EncoderFactory;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.streams.TopologyTestDriver;
import org.apache.kafka.streams.test.TestRecord;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/** What is no record of ours is put aside with its reason, and what comes after it is handled. */
class BadRecordsTest {
  private static final int HEADER_BYTES = 10;
  private static final long TOO_LARGE = (1L << 53) + 1;
  private static final long IN_2200 = Instant.parse("2200-01-01T00:00:00Z").toEpochMilli();

  /** A seed makes a failure repeatable, a count makes it long. */
  private static final long SEED = Long.getLong("badRecords.seed", 20_260_101L);

  private static final int STRINGS = Integer.getInteger("badRecords.strings", 20_000);

  @TempDir private Path stateDir = Path.of("unset");
  private final RecordCodec codec = new RecordCodec();
  private final Topics topics = new Topics("turnkeeper.");
  private @Nullable TopologyTestDriver driverOrNull;

  @BeforeEach
  void start() {
    ((ch.qos.logback.classic.Logger) LoggerFactory.getLogger(Intake.class)).setLevel(Level.ERROR);
    SchedulerConfig config =
        new SchedulerConfig(
            "unused:9092",
            "turnkeeper.",
            "test",
            "test-1",
            stateDir,
            topics.tablePartitions(),
            topics.poolPartitions(),
            (short) 1,
            25,
            Map.of(),
            Sharing.DEFAULT,
            Settings.DEFAULT);
    JournalEnd inStep = (partition, storeSequence) -> {};
    driverOrNull =
        new TopologyTestDriver(
            SchedulerTopology.build(
                topics,
                codec,
                Settings.DEFAULT,
                () -> 0,
                new Half(inStep, InputLog.EMPTY, new OpenStores()),
                new Half(inStep, InputLog.EMPTY, new OpenStores())),
            SchedulerApp.properties(config));
  }

  @AfterEach
  void stop() {
    driver().close();
  }

  @Test
  void eachKindOfBadRecordIsRejectedWithItsCode() throws IOException {
    byte[] sealed = codec.encode(sealed());
    byte[] unknown = sealed.clone();
    unknown[4] ^= 1;
    expect("NOT_SINGLE_OBJECT", home(), "no record".getBytes(UTF_8));
    expect("NULL_VALUE", home(), null);
    expect("NULL_KEY", null, sealed);
    expect("UNKNOWN_SCHEMA", home(), unknown);
    expect("TRUNCATED", home(), Arrays.copyOf(sealed, 5));
    expect("TRUNCATED", home(), Arrays.copyOf(sealed, sealed.length - 1));
    expect("UNDECODABLE", home(), Arrays.copyOf(sealed, sealed.length + 1));
    expect("WRONG_KEY", "trains".getBytes(UTF_8), sealed);
    expect("OUT_OF_RANGE", home(), changed(sealed, record -> record.put("sealedThrough", -1L)));
    expect(
        "OUT_OF_RANGE", home(), changed(sealed, record -> record.put("bytesThrough", TOO_LARGE)));
    expect(
        "OUT_OF_RANGE", home(), changed(sealed, record -> record.put("flushedAtMillis", IN_2200)));
    expect("OUT_OF_RANGE", home(), changed(sealed, record -> record.put("table", "a//b")));
    expect("OUT_OF_RANGE", home(), changed(sealed, record -> record.put("table", "a\u0000b")));
    expect(
        "TOO_LARGE", home(), changed(sealed, record -> record.put("table", "x".repeat(2 << 20))));

    input(Topic.DEMAND, home(), sealed);
    assertThat(output(Topic.REJECTED)).isEmpty();
  }

  @Test
  void aKeyThatAnotherPartitionerPlacedIsRejectedAndNamesTheSetting() {
    TableId elsewhere = tableOn(3);
    byte[] key = elsewhere.value().getBytes(UTF_8);
    input(Topic.DEMAND, key, codec.encode(sealed(elsewhere)));
    TestRecord<byte[], byte[]> rejected = output(Topic.REJECTED).get(0);
    assertThat(header(rejected, "turnkeeper_code")).isEqualTo("WRONG_PARTITION");
    assertThat(header(rejected, "turnkeeper_reason")).contains("partitioner=murmur2");
  }

  @Test
  void aRejectedRecordKeepsItsHeaders() {
    RecordHeaders headers = new RecordHeaders();
    headers.add("traceparent", "00-1".getBytes(UTF_8));
    driver()
        .createInputTopic(
            topics.name(Topic.DEMAND), new ByteArraySerializer(), new ByteArraySerializer())
        .pipeInput(new TestRecord<>(home(), new byte[] {1}, headers));
    assertThat(header(output(Topic.REJECTED).get(0), "traceparent")).isEqualTo("00-1");
  }

  @Test
  void everyRandomOrMutatedByteStringIsFoldedOrRejectedOnce() {
    Random random = new Random(SEED);
    List<Topic> inputs =
        List.of(
            Topic.DEMAND,
            Topic.CLAIM,
            Topic.CHECKPOINT,
            Topic.PUBLISH,
            Topic.POLICY,
            Topic.PLACEMENT,
            Topic.EXECUTOR,
            Topic.POOL_INBOX);
    List<byte[]> good =
        List.of(codec.encode(sealed()), codec.encode(registered()), codec.encode(heartbeat()));
    Set<String> accounted = new HashSet<>();
    int twice = 0;
    for (int i = 0; i < STRINGS; i++) {
      Topic topic = inputs.get(random.nextInt(inputs.size()));
      byte[] key = random.nextInt(4) == 0 ? bytes(random) : home();
      input(topic, key, random.nextInt(3) == 0 ? bytes(random) : mutated(random, good));
      if (i % 1_000 == 999) {
        twice += account(accounted);
      }
    }
    twice += account(accounted);
    assertThat(twice).as("records accounted for twice, seed %d", SEED).isZero();
    assertThat(accounted)
        .as("records accounted for, seed %d", SEED)
        .hasSizeGreaterThanOrEqualTo(STRINGS);
    for (Topic topic : inputs) {
      long of = accounted.stream().filter(s -> s.startsWith(topics.name(topic) + "@")).count();
      for (long offset = 0; offset < of; offset++) {
        String source = topics.name(topic) + "@" + offset;
        // Not contains() of AssertJ, which goes through all of them each time.
        assertThat(accounted.contains(source)).as(source).isTrue();
      }
    }
  }

  /** Adds where what was folded or rejected came from. */
  private int account(Set<String> into) {
    int twice = 0;
    for (Topic journal : List.of(Topic.JOURNAL, Topic.POOL_JOURNAL)) {
      for (TestRecord<byte[], byte[]> record : output(journal)) {
        Source source = entry(record).source();
        if (source != null && !into.add(source.topic() + "@" + source.offset())) {
          twice++;
        }
      }
    }
    for (TestRecord<byte[], byte[]> record : output(Topic.REJECTED)) {
      String place = header(record, "turnkeeper_topic") + "@" + header(record, "turnkeeper_offset");
      twice += into.add(place) ? 0 : 1;
    }
    return twice;
  }

  private static byte[] bytes(Random random) {
    byte[] bytes = new byte[random.nextInt(200)];
    random.nextBytes(bytes);
    return bytes;
  }

  private static byte[] mutated(Random random, List<byte[]> good) {
    byte[] bytes = good.get(random.nextInt(good.size())).clone();
    for (int change = random.nextInt(4); change > 0; change--) {
      int from = random.nextInt(3) == 0 ? 0 : HEADER_BYTES;
      bytes[from + random.nextInt(bytes.length - from)] = (byte) random.nextInt(256);
    }
    return random.nextInt(4) == 0 ? Arrays.copyOf(bytes, random.nextInt(2 * bytes.length)) : bytes;
  }

  private void expect(String code, byte @Nullable [] key, byte @Nullable [] value) {
    input(Topic.DEMAND, key, value);
    List<TestRecord<byte[], byte[]>> rejected = output(Topic.REJECTED);
    assertThat(rejected).as(code).hasSize(1);
    assertThat(header(rejected.get(0), "turnkeeper_code")).isEqualTo(code);
    assertThat(header(rejected.get(0), "turnkeeper_topic")).isEqualTo(topics.name(Topic.DEMAND));
    assertThat(header(rejected.get(0), "turnkeeper_partition")).isEqualTo("0");
    assertThat(header(rejected.get(0), "turnkeeper_offset")).isNotBlank();
    assertThat(rejected.get(0).key()).isEqualTo(key);
    assertThat(rejected.get(0).value()).isEqualTo(value);
  }

  /** Bytes that no writer of ours would write: a record with one field changed. */
  private byte[] changed(byte[] bytes, Consumer<GenericRecord> change) throws IOException {
    long fingerprint = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).getLong(2);
    Schema schema = codec.schemaStore().findByFingerprint(fingerprint);
    GenericRecord record =
        new GenericDatumReader<GenericRecord>(schema)
            .read(
                new GenericData.Record(schema),
                DecoderFactory.get()
                    .binaryDecoder(bytes, HEADER_BYTES, bytes.length - HEADER_BYTES, null));
    change.accept(record);
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.write(bytes, 0, HEADER_BYTES);
    BinaryEncoder encoder = EncoderFactory.get().binaryEncoder(out, null);
    new GenericDatumWriter<GenericRecord>(schema).write(record, encoder);
    encoder.flush();
    return out.toByteArray();
  }

  /** The driver reads everything as partition 0. */
  private TableId tableOn(int partition) {
    for (int i = 0; ; i++) {
      byte[] key = ("table-" + i).getBytes(UTF_8);
      if (Topics.partitionOf(key, topics.tablePartitions()) == partition) {
        return new TableId("table-" + i);
      }
    }
  }

  private byte[] home() {
    return tableOn(0).value().getBytes(UTF_8);
  }

  private WalSealed sealed() {
    return sealed(tableOn(0));
  }

  private static WalSealed sealed(TableId table) {
    return new WalSealed(table, 1, new ShardId("s0"), 1, 8, 100, 10, 1_000, SealSource.WRITER);
  }

  private TableRegistered registered() {
    return new TableRegistered(
        tableOn(0), 1, "/tables/t", "/wal/t", List.of(), MergeMode.APPEND, List.of());
  }

  private static ExecutorHeartbeat heartbeat() {
    return new ExecutorHeartbeat(
        new PoolId("default"),
        new ExecutorId("worker-1"),
        1,
        new TreeMap<>(Map.of(Kind.MERGE_WAL, 1, Kind.OBSERVE, 1)),
        1L << 30,
        false,
        "test",
        new TreeMap<>(),
        List.of());
  }

  private JournalEntry entry(TestRecord<byte[], byte[]> record) {
    try {
      return codec.decode(record.value(), JournalEntry.class);
    } catch (Exception e) {
      throw new AssertionError("expected a journal entry", e);
    }
  }

  private void input(Topic topic, byte @Nullable [] key, byte @Nullable [] value) {
    driver()
        .createInputTopic(topics.name(topic), new ByteArraySerializer(), new ByteArraySerializer())
        .pipeInput(new TestRecord<>(key, value));
  }

  private List<TestRecord<byte[], byte[]>> output(Topic topic) {
    return new ArrayList<>(
        driver()
            .createOutputTopic(
                topics.name(topic), new ByteArrayDeserializer(), new ByteArrayDeserializer())
            .readRecordsToList());
  }

  private TopologyTestDriver driver() {
    TopologyTestDriver driver = driverOrNull;
    if (driver == null) {
      throw new IllegalStateException("expected start before anything else");
    }
    return driver;
  }

  private static String header(TestRecord<byte[], byte[]> record, String name) {
    return new String(record.headers().lastHeader(name).value(), UTF_8);
  }
}
