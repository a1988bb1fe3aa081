package io.turnkeeper.streams;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.turnkeeper.core.Attempt;
import io.turnkeeper.core.Event;
import io.turnkeeper.core.ExecutorId;
import io.turnkeeper.core.Kind;
import io.turnkeeper.core.PoolId;
import io.turnkeeper.core.Require;
import io.turnkeeper.core.ShardId;
import io.turnkeeper.core.TableId;
import io.turnkeeper.core.UnitId;
import io.turnkeeper.core.partition.DecisionRecord;
import io.turnkeeper.core.partition.JournalEntry;
import io.turnkeeper.core.partition.PartitionEvent.SettingsApplied;
import io.turnkeeper.core.partition.PartitionEvent.Tick;
import io.turnkeeper.core.partition.Settings;
import io.turnkeeper.core.pool.ExecutorEvent.ExecutorHeartbeat;
import io.turnkeeper.core.pool.InboxEvent.PlacementRequested;
import io.turnkeeper.core.table.Admission;
import io.turnkeeper.core.table.Artifact;
import io.turnkeeper.core.table.Assignment.RunUnit;
import io.turnkeeper.core.table.Backlog;
import io.turnkeeper.core.table.CheckpointEvent.PreparationReady;
import io.turnkeeper.core.table.DemandEvent.SealSource;
import io.turnkeeper.core.table.DemandEvent.TableRegistered;
import io.turnkeeper.core.table.DemandEvent.WalSealed;
import io.turnkeeper.core.table.MergeMode;
import io.turnkeeper.core.table.PlacementEvent.UnitPlaced;
import io.turnkeeper.core.table.PolicyApplied;
import io.turnkeeper.core.table.PolicyEvent.PolicyCleared;
import io.turnkeeper.core.table.PublishEvent.HeadObserved;
import io.turnkeeper.core.table.PublishEvent.PublishRefused;
import io.turnkeeper.core.table.TableSnapshot;
import io.turnkeeper.core.table.TableState;
import io.turnkeeper.events.InvalidRecordException;
import io.turnkeeper.events.RecordCodec;
import io.turnkeeper.events.Topic;
import io.turnkeeper.events.Topics;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.streams.TopologyTestDriver;
import org.apache.kafka.streams.test.TestRecord;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The wiring: what comes in is journalled, decided and sent on. The rules have their own tests. */
class SchedulerTopologyTest {
  private static final TableId TABLE = new TableId("flights");
  private static final PoolId POOL = new PoolId("default");
  private static final JournalEnd IN_STEP = (partition, storeSequence) -> {};
  private static final Instant START = Instant.ofEpochMilli(1_800_000_000_000L);

  @TempDir private Path stateDir = Path.of("unset");
  private final RecordCodec codec = new RecordCodec();
  private final Topics topics = new Topics("turnkeeper.", 1, 1);
  private long nanos;
  private @Nullable TopologyTestDriver driverOrNull;

  @BeforeEach
  void start() {
    SchedulerConfig config =
        new SchedulerConfig(
            "unused:9092",
            "turnkeeper.",
            "test",
            "test-1",
            stateDir,
            1,
            1,
            (short) 1,
            25,
            Map.of(),
            Sharing.DEFAULT,
            Settings.DEFAULT);
    driverOrNull =
        new TopologyTestDriver(
            SchedulerTopology.build(
                topics,
                codec,
                Settings.DEFAULT,
                () -> nanos,
                new Half(IN_STEP, InputLog.EMPTY, new OpenStores()),
                new Half(IN_STEP, InputLog.EMPTY, new OpenStores())),
            SchedulerApp.properties(config),
            START);
  }

  @AfterEach
  void stop() {
    driver().close();
  }

  private TopologyTestDriver driver() {
    return Objects.requireNonNull(driverOrNull);
  }

  @Test
  void demandBecomesAnAssignmentThroughThePool() throws InvalidRecordException {
    send(topics.name(Topic.EXECUTOR), POOL.value(), heartbeat());
    send(topics.name(Topic.DEMAND), "flights", registered());
    send(topics.name(Topic.DEMAND), "flights", sealed(8));

    assertThat(read(topics.name(Topic.POOL_INBOX), PlacementRequested.class)).isNotEmpty();
    assertThat(read(topics.name(Topic.PLACEMENT), UnitPlaced.class)).isNotEmpty();
    assertThat(read(topics.name(Topic.ASSIGNMENT), RunUnit.class))
        .extracting(RunUnit::kind)
        .contains(Kind.MERGE_WAL);
  }

  @Test
  void journalAndDecisionsCarryPlaceTimeAndCause() throws InvalidRecordException {
    send(topics.name(Topic.DEMAND), "flights", registered());
    send(topics.name(Topic.DEMAND), "flights", sealed(8));

    List<JournalEntry> entries = read(topics.name(Topic.JOURNAL), JournalEntry.class);
    assertThat(entries).extracting(JournalEntry::sequence).startsWith(1L, 2L, 3L);
    assertThat(entries.get(0).event()).isInstanceOf(SettingsApplied.class);
    assertThat(entries.get(2).event()).isEqualTo(sealed(8));
    assertThat(entries.get(2).source()).isNotNull();
    List<DecisionRecord> decisions = read(topics.name(Topic.DECISION), DecisionRecord.class);
    assertThat(decisions).extracting(DecisionRecord::sequence).isSubsetOf(1L, 2L, 3L);
    assertThat(decisions).allSatisfy(decision -> assertThat(decision.reason()).isNotBlank());
    List<TableSnapshot> states = read(topics.name(Topic.TABLE_STATE), TableSnapshot.class);
    assertThat(states.get(states.size() - 1).state().pendingGenerations()).isEqualTo(8);
  }

  @Test
  void garbageIsRejectedWithACodeAndTheNextRecordIsHandled() throws InvalidRecordException {
    input(topics.name(Topic.DEMAND), "flights", "garbage".getBytes(UTF_8));
    send(topics.name(Topic.DEMAND), "flights", registered());

    TestRecord<byte[], byte[]> rejected = output(topics.name(Topic.REJECTED)).get(0);
    assertThat(rejected.value()).isEqualTo("garbage".getBytes(UTF_8));
    assertThat(header(rejected, "turnkeeper_code")).isEqualTo("NOT_SINGLE_OBJECT");
    assertThat(header(rejected, "turnkeeper_topic")).isEqualTo(topics.name(Topic.DEMAND));
    assertThat(read(topics.name(Topic.JOURNAL), JournalEntry.class))
        .anySatisfy(entry -> assertThat(entry.event()).isEqualTo(registered()));
  }

  @Test
  void aRecordUnderAnotherKeyIsRejected() {
    send(topics.name(Topic.DEMAND), "trains", registered());
    assertThat(header(output(topics.name(Topic.REJECTED)).get(0), "turnkeeper_code"))
        .isEqualTo("WRONG_KEY");
  }

  @Test
  void anEventOnAnotherTopicIsRejected() {
    send(topics.name(Topic.CLAIM), "flights", registered());
    assertThat(header(output(topics.name(Topic.REJECTED)).get(0), "turnkeeper_code"))
        .isEqualTo("UNEXPECTED_TYPE");
  }

  @Test
  void aNullKeyOrValueIsRejected() {
    driver()
        .createInputTopic(
            topics.name(Topic.DEMAND), new ByteArraySerializer(), new ByteArraySerializer())
        .pipeInput(new TestRecord<>(null, codec.encode(registered())));
    driver()
        .createInputTopic(
            topics.name(Topic.DEMAND), new ByteArraySerializer(), new ByteArraySerializer())
        .pipeInput(new TestRecord<>("flights".getBytes(UTF_8), null));
    assertThat(output(topics.name(Topic.REJECTED))).hasSize(2);
  }

  @Test
  void aReservedIdIsRejectedAndHarmsNoPartition() throws InvalidRecordException {
    WalSealed hostile =
        new WalSealed(
            new TableId("_partition"),
            1,
            new ShardId("s0"),
            1,
            1,
            1,
            1,
            START.toEpochMilli(),
            SealSource.WRITER);
    send(topics.name(Topic.DEMAND), "_partition", hostile);
    assertThat(header(output(topics.name(Topic.REJECTED)).get(0), "turnkeeper_code"))
        .isEqualTo("OUT_OF_RANGE");
    send(topics.name(Topic.DEMAND), "flights", registered());
    assertThat(read(topics.name(Topic.JOURNAL), JournalEntry.class))
        .anySatisfy(entry -> assertThat(entry.event()).isEqualTo(registered()));
  }

  @Test
  void shardsBeyondTheLimitAreRefusedAndTheTableGoesOn() throws InvalidRecordException {
    send(topics.name(Topic.DEMAND), "flights", registered());
    SortedMap<ShardId, Long> merged = new TreeMap<>();
    for (int shard = 0; shard < 6_000; shard++) {
      merged.put(new ShardId(shard + "-" + "x".repeat(100)), 1L);
    }
    Attempt attempt = new Attempt(new UnitId(TABLE, 1), 1, new ExecutorId("worker-1"), 1);
    send(
        topics.name(Topic.PUBLISH), "flights", new HeadObserved(attempt, 1, 1, 0, 0, 0, 1, merged));
    nanos += Duration.ofSeconds(2).toNanos();
    driver().advanceWallClockTime(Duration.ofSeconds(2)); // A state is shown once a second.
    send(topics.name(Topic.DEMAND), "flights", sealed(8));
    assertThat(output(topics.name(Topic.REJECTED))).isEmpty();
    List<TableSnapshot> shown = read(topics.name(Topic.TABLE_STATE), TableSnapshot.class);
    TableState state = shown.get(shown.size() - 1).state();
    assertThat(state.shards()).hasSize(TableState.MAX_SHARDS);
  }

  /** Turn numbers end at 2^53; a worker that claims to have seen the last but one leaves one. */
  @Test
  void whatTheRulesCannotTakeIsRejectedAndOtherTablesGoOn() throws InvalidRecordException {
    send(topics.name(Topic.DEMAND), "flights", registered());
    send(topics.name(Topic.DEMAND), "flights", sealed(8));
    send(topics.name(Topic.EXECUTOR), POOL.value(), heartbeat());
    Attempt merge =
        read(topics.name(Topic.ASSIGNMENT), RunUnit.class).stream()
            .filter(run -> run.kind() == Kind.MERGE_WAL)
            .findFirst()
            .orElseThrow()
            .attempt();
    long last = Require.MAX_NUMBER;
    String publish = topics.name(Topic.PUBLISH);
    send(
        publish,
        "flights",
        new HeadObserved(merge, 1, 1, 0, 0, 0, last - 1, Collections.emptySortedMap()));
    Artifact artifact = new Artifact(1, List.of(), 1, 10, 10, "", 0, "");
    send(topics.name(Topic.CHECKPOINT), "flights", new PreparationReady(merge, artifact));
    send(publish, "flights", new PublishRefused(merge, last, "TURN_LOST", "lost"));
    nanos += Duration.ofSeconds(3).toNanos(); // It wants its turn again.
    send(topics.name(Topic.DEMAND), "flights", sealed(9));
    assertThat(header(output(topics.name(Topic.REJECTED)).get(0), "turnkeeper_code"))
        .isEqualTo("NOT_FOLDABLE");
    read(topics.name(Topic.JOURNAL), JournalEntry.class);
    send(topics.name(Topic.DEMAND), "trains", sealedIn("trains"));
    assertThat(read(topics.name(Topic.JOURNAL), JournalEntry.class))
        .extracting(JournalEntry::event)
        .containsExactly(sealedIn("trains"));
  }

  /** What changes the backlog's class is shown at once, with what writers are told. */
  @Test
  void aCrossedLimitIsShownWithTheVeryEvent() throws InvalidRecordException {
    send(topics.name(Topic.DEMAND), "flights", registered());
    send(topics.name(Topic.DEMAND), "flights", sealed(4_094));
    read(topics.name(Topic.TABLE_STATE), TableSnapshot.class);
    send(topics.name(Topic.DEMAND), "flights", sealed(4_095));
    assertThat(read(topics.name(Topic.TABLE_STATE), TableSnapshot.class)).isEmpty();
    send(topics.name(Topic.DEMAND), "flights", sealed(4_096));
    assertThat(read(topics.name(Topic.TABLE_STATE), TableSnapshot.class))
        .extracting(TableSnapshot::admission)
        .containsExactly(new Admission(Backlog.CRITICAL, 0));
  }

  @Test
  void aChangedDefaultPolicyReachesTheTablesInRecordedSteps() throws InvalidRecordException {
    for (int table = 0; table < 250; table++) {
      send(topics.name(Topic.DEMAND), "t" + table, sealedIn("t" + table));
    }
    read(topics.name(Topic.JOURNAL), JournalEntry.class);
    send(
        topics.name(Topic.POLICY),
        TableId.DEFAULT.value(),
        new PolicyCleared(TableId.DEFAULT, "ana", "start over"));
    assertThat(appliedPolicies()).isZero();
    nanos += Duration.ofMillis(100).toNanos();
    driver().advanceWallClockTime(Duration.ofMillis(100));
    assertThat(appliedPolicies()).isEqualTo(200);
    nanos += Duration.ofSeconds(1).toNanos();
    driver().advanceWallClockTime(Duration.ofSeconds(1));
    assertThat(appliedPolicies()).isEqualTo(50);
  }

  private long appliedPolicies() throws InvalidRecordException {
    return read(topics.name(Topic.JOURNAL), JournalEntry.class).stream()
        .filter(entry -> entry.event() instanceof PolicyApplied)
        .count();
  }

  @Test
  void aHugeWrongKeyDoesNotMakeTheRejectedRecordHuge() {
    send(topics.name(Topic.DEMAND), "k".repeat(1_000_000), registered());
    TestRecord<byte[], byte[]> rejected = output(topics.name(Topic.REJECTED)).get(0);
    assertThat(header(rejected, "turnkeeper_code")).isEqualTo("WRONG_KEY");
    assertThat(header(rejected, "turnkeeper_reason")).hasSizeLessThan(1_000);
  }

  /** Each is kept for ever, so there is one while something is waited for, and few otherwise. */
  @Test
  void timeAloneIsAnEntryWhereItMatters() throws InvalidRecordException {
    send(topics.name(Topic.DEMAND), "flights", registered());
    pass(Duration.ofSeconds(1)); // What the table is due for at its start.
    assertThat(ticksWhilePassing(Duration.ofMinutes(4))).isZero();
    assertThat(ticksWhilePassing(Duration.ofMinutes(2))).isEqualTo(1);
  }

  private long ticksWhilePassing(Duration time) throws InvalidRecordException {
    read(topics.name(Topic.JOURNAL), JournalEntry.class);
    for (long second = 0; second < time.toSeconds(); second++) {
      pass(Duration.ofSeconds(1));
    }
    return read(topics.name(Topic.JOURNAL), JournalEntry.class).stream()
        .filter(entry -> entry.event() instanceof Tick)
        .count();
  }

  private void pass(Duration time) {
    nanos += time.toNanos();
    driver().advanceWallClockTime(time);
  }

  private static TableRegistered registered() {
    return new TableRegistered(
        TABLE, 1, "/tables/flights", "/wal/flights", List.of(), MergeMode.APPEND, List.of());
  }

  private static WalSealed sealed(long through) {
    return new WalSealed(
        TABLE, 1, new ShardId("s0"), 1, through, 100, 10, START.toEpochMilli(), SealSource.WRITER);
  }

  private static WalSealed sealedIn(String table) {
    return new WalSealed(
        new TableId(table),
        1,
        new ShardId("s0"),
        1,
        1,
        1,
        1,
        START.toEpochMilli(),
        SealSource.WRITER);
  }

  private static ExecutorHeartbeat heartbeat() {
    return new ExecutorHeartbeat(
        POOL,
        new ExecutorId("worker-1"),
        1,
        new TreeMap<>(Map.of(Kind.MERGE_WAL, 1, Kind.OBSERVE, 1)),
        1L << 30,
        false,
        "test",
        new TreeMap<>(),
        List.of());
  }

  private void send(String topic, String key, Event event) {
    input(topic, key, codec.encode(event));
  }

  private void input(String topic, String key, byte[] value) {
    driver()
        .createInputTopic(topic, new ByteArraySerializer(), new ByteArraySerializer())
        .pipeInput(key.getBytes(UTF_8), value);
  }

  private List<TestRecord<byte[], byte[]>> output(String topic) {
    return driver()
        .createOutputTopic(topic, new ByteArrayDeserializer(), new ByteArrayDeserializer())
        .readRecordsToList();
  }

  private <T> List<T> read(String topic, Class<T> type) throws InvalidRecordException {
    List<T> some = new java.util.ArrayList<>();
    for (TestRecord<byte[], byte[]> record : output(topic)) {
      Object value = codec.decode(record.value());
      if (type.isInstance(value)) {
        some.add(type.cast(value));
      }
    }
    return some;
  }

  private static String header(TestRecord<byte[], byte[]> record, String name) {
    return new String(record.headers().lastHeader(name).value(), UTF_8);
  }
}
