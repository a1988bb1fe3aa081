package io.turnkeeper.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.turnkeeper.core.Attempt;
import io.turnkeeper.core.ExecutorId;
import io.turnkeeper.core.Kind;
import io.turnkeeper.core.PoolId;
import io.turnkeeper.core.ShardId;
import io.turnkeeper.core.TableId;
import io.turnkeeper.core.UnitId;
import io.turnkeeper.core.pool.ExecutorEvent.ExecutorGone;
import io.turnkeeper.core.pool.ExecutorEvent.ExecutorHeartbeat;
import io.turnkeeper.core.table.Assignment;
import io.turnkeeper.core.table.Assignment.RunUnit;
import io.turnkeeper.core.table.CheckpointEvent.PreparationReady;
import io.turnkeeper.core.table.ClaimEvent.UnitClaimed;
import io.turnkeeper.core.table.ClaimEvent.UnitReleased;
import io.turnkeeper.core.table.DemandEvent.TableObserved;
import io.turnkeeper.core.table.DemandEvent.TableRegistered;
import io.turnkeeper.core.table.MergeMode;
import io.turnkeeper.core.table.Mode;
import io.turnkeeper.core.table.PublishEvent.UnitPublished;
import io.turnkeeper.core.table.WorkSpec;
import io.turnkeeper.core.table.WorkSpec.GenerationRange;
import io.turnkeeper.core.table.WorkSpec.MergeWal;
import io.turnkeeper.core.table.WorkSpec.Observe;
import io.turnkeeper.events.TestBroker;
import io.turnkeeper.events.Topic;
import io.turnkeeper.events.Topics;
import io.turnkeeper.worker.authority.EtcdProcess;
import io.turnkeeper.worker.authority.EtcdSettings;
import io.turnkeeper.worker.wal.Generations;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.apache.arrow.memory.RootAllocator;
import org.apache.kafka.clients.admin.Admin;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** A worker process's whole shell against a real broker and a real etcd. */
@SuppressWarnings("NullAway.Init")
class WorkerIT {
  private static final ExecutorId EXECUTOR = new ExecutorId("e1");
  private static final TableId TABLE = new TableId("t");
  private static final Duration LEASE_TTL = Duration.ofSeconds(30);
  private static final Duration DRAIN = Duration.ofSeconds(7);

  private static EtcdProcess etcd;
  private static TestBroker broker;

  @TempDir static Path brokerDir;
  @TempDir Path dir;

  private Topics topics;
  private TopicTail tail;

  @BeforeAll
  static void startServers() throws Exception {
    etcd = EtcdProcess.start();
    broker = new TestBroker(brokerDir);
  }

  @AfterAll
  static void stopServers() {
    broker.close();
    etcd.close();
  }

  @BeforeEach
  void createTopics() {
    topics = new Topics("test" + System.nanoTime() + ".", 2, 1);
    try (Admin admin = broker.admin()) {
      topics.create(admin, (short) 1);
    }
    tail = new TopicTail(broker, topics);
  }

  @AfterEach
  void closeTail() {
    tail.close();
  }

  @Test
  void ordersForThisStartAreRunAndOthersAreNot() throws Exception {
    TableRegistered table = register();
    // An order that lies there already was meant for an earlier start.
    order(table, 1, EXECUTOR, 1);
    try (Worker worker = new Worker(config())) {
      worker.start();
      ExecutorHeartbeat heartbeat = tail.await(ExecutorHeartbeat.class);
      assertThat(heartbeat.slots()).isEqualTo(WorkerConfig.DEFAULT_SLOTS);
      assertThat(heartbeat.bytesTotal()).isEqualTo(config().bytesForUnits());
      order(table, 2, new ExecutorId("e2"), heartbeat.incarnation());
      order(table, 3, EXECUTOR, heartbeat.incarnation() + 1);
      order(table, 4, EXECUTOR, heartbeat.incarnation());
      tail.await(UnitReleased.class);
    }

    assertThat(tail.await(UnitPublished.class).attempt().unit().sequence()).isEqualTo(4);
    assertThat(tail.all(UnitPublished.class)).hasSize(1);
    assertThat(tail.await(ExecutorGone.class).executor()).isEqualTo(EXECUTOR);
    assertThat(tail.all(ExecutorHeartbeat.class)).last().returns(true, ExecutorHeartbeat::draining);
  }

  @Test
  void aSecondProcessOfTheNameEndsTheFirst() throws Exception {
    try (Worker first = new Worker(config());
        Worker second = new Worker(config())) {
      first.start();
      ExecutorHeartbeat before = tail.await(ExecutorHeartbeat.class);
      second.start();

      assertThatThrownBy(first::awaitEnd).hasMessageContaining("a newer one registered");
      assertThat(
              tail.await(
                      ExecutorHeartbeat.class,
                      heartbeat -> heartbeat.incarnation() > before.incarnation())
                  .executor())
          .isEqualTo(EXECUTOR);
    }
  }

  @Test
  void aWorkerThatLosesTheAuthorityDropsWhatItRunsAndComesBackAsANewStart() throws Exception {
    TableRegistered table = register();
    try (Worker worker = new Worker(config(), Duration.ofSeconds(3), DRAIN, StepListener.NONE)) {
      worker.start();
      long lost = tail.await(ExecutorHeartbeat.class).incarnation();
      orderMerge(table, 1, lost);
      tail.await(PreparationReady.class);
      Path data = Path.of(table.uri(), "data");
      assertThat(isEmpty(data)).isFalse();

      etcd.kill();
      try {
        await("what was prepared to be gone", () -> isEmpty(data));
        order(table, 2, EXECUTOR, lost);
      } finally {
        etcd.restart();
      }
      ExecutorHeartbeat again =
          tail.await(ExecutorHeartbeat.class, heartbeat -> heartbeat.incarnation() > lost);
      assertThat(again.liveUnits()).isEmpty();
      order(table, 3, EXECUTOR, lost);
      order(table, 4, EXECUTOR, again.incarnation());
      awaitReleased(4);
    }
    assertThat(claimed()).containsExactly(1L, 4L);
  }

  @Test
  void aWorkerThatLosesKafkaStopsWhatItCannotTellAndGoesOnWhenItIsBack() throws Exception {
    TableRegistered table = register();
    Map<String, String> impatient =
        Map.of("delivery.timeout.ms", "1500", "request.timeout.ms", "1000", "max.block.ms", "1500");
    CountDownLatch gone = new CountDownLatch(1);
    StepListener steps =
        (kind, step) -> {
          if (kind == Kind.MERGE_WAL && step == UnitStep.CLAIMED) {
            broker.close();
            gone.countDown();
          }
        };
    try (Worker worker = new Worker(config(impatient), steps)) {
      worker.start();
      long incarnation = tail.await(ExecutorHeartbeat.class).incarnation();
      orderMerge(table, 1, incarnation);
      assertThat(gone.await(60, TimeUnit.SECONDS)).isTrue();
      try {
        Path prepared = Path.of(table.uri(), "_prepared");
        await("the preparation to end", () -> !isEmpty(prepared));
        await("what was prepared to be gone", () -> isEmpty(prepared));
      } finally {
        broker.restart();
      }
      order(table, 2, EXECUTOR, incarnation);
      awaitReleased(2);
      assertThat(
              tail.await(ExecutorHeartbeat.class, heartbeat -> heartbeat.liveUnits().isEmpty())
                  .incarnation())
          .isEqualTo(incarnation);
    }
    assertThat(claimed()).containsExactly(1L, 2L);
    assertThat(tail.all(PreparationReady.class)).isEmpty();
  }

  @Test
  void aWorkerThatIsStoppedWhileTheBrokersAreAwaySaysSoInItsLogAndIsGone() throws Exception {
    TableRegistered table = register();
    CountDownLatch gone = new CountDownLatch(1);
    StepListener steps =
        (kind, step) -> {
          if (kind == Kind.MERGE_WAL && step == UnitStep.PREPARED) {
            broker.close();
            gone.countDown();
          }
        };
    Path data = Path.of(table.uri(), "data");
    try (LogLines log = LogLines.of(ExecutorRun.class)) {
      Worker worker = new Worker(config(), LEASE_TTL, Duration.ofSeconds(1), steps);
      try {
        worker.start();
        orderMerge(table, 1, tail.await(ExecutorHeartbeat.class).incarnation());
        assertThat(gone.await(60, TimeUnit.SECONDS)).isTrue();
        assertThat(isEmpty(data)).isFalse();
      } finally {
        long asked = System.nanoTime();
        worker.close();
        Duration took = Duration.ofNanos(System.nanoTime() - asked);
        broker.restart();
        assertThat(took).isLessThan(Duration.ofSeconds(4));
      }
      assertThat(log.lines())
          .contains("stopped without telling everything, the scheduler finds out by the silence");
    }
    assertThat(isEmpty(data)).as("what was prepared is gone").isTrue();
    assertThat(isEmpty(Path.of(table.uri(), "_prepared"))).isTrue();
  }

  @Test
  void aWorkerThatFindsNoBrokersSaysWhereItLooked() throws Exception {
    Path config =
        Files.writeString(
            dir.resolve("worker.properties"),
            "executor.id=e1\nbootstrap.servers=127.0.0.1:1\nkafka.default.api.timeout.ms=500\n"
                + "kafka.request.timeout.ms=500\netcd.endpoints="
                + etcd.endpoint());
    StringWriter said = new StringWriter();
    int code =
        new CommandLine(new WorkerCommand())
            .setErr(new PrintWriter(said))
            .execute("--config", config.toString());

    assertThat(said.toString()).contains("cannot reach the brokers at 127.0.0.1:1: ");
    assertThat(code).isEqualTo(1);
  }

  @Test
  void settingsThatDoNotGoTogetherAreNotTakenForBrokersThatAreAway() throws Exception {
    Path config =
        Files.writeString(
            dir.resolve("worker.properties"),
            "executor.id=e1\nbootstrap.servers=127.0.0.1:1\nkafka.delivery.timeout.ms=500\n"
                + "kafka.request.timeout.ms=5000\netcd.endpoints="
                + etcd.endpoint());
    StringWriter said = new StringWriter();
    int code =
        new CommandLine(new WorkerCommand())
            .setErr(new PrintWriter(said))
            .execute("--config", config.toString());

    assertThat(said.toString()).contains("delivery.timeout.ms").doesNotContain("reach");
    assertThat(code).isEqualTo(2);
  }

  private static void await(String what, BooleanSupplier condition) throws Exception {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime()).as(what).isLessThan(deadline);
      Thread.sleep(20);
    }
  }

  private TableRegistered register() throws Exception {
    Path schema = dir.resolve("schema.arrow");
    Files.write(schema, Generations.emptyStream());
    int code =
        new CommandLine(new RegisterCommand())
            .execute(
                TABLE.value(),
                "--uri=" + dir.resolve("table"),
                "--wal=" + dir.resolve("wal"),
                "--schema-from=" + schema,
                "--index=by_id:id:btree",
                "--bootstrap-servers=" + broker.bootstrap(),
                "--etcd=" + etcd.endpoint(),
                "--topic-prefix=" + topics.prefix(),
                "--etcd-prefix=/" + topics.prefix() + "/");
    assertThat(code).isZero();
    tail.await(TableObserved.class);
    return tail.await(TableRegistered.class);
  }

  private void order(TableRegistered table, long unit, ExecutorId executor, long incarnation)
      throws Exception {
    order(table, unit, Kind.OBSERVE, new Observe(), executor, incarnation);
  }

  /** Orders a merge of a generation that is sealed now. */
  private void orderMerge(TableRegistered table, long unit, long incarnation) throws Exception {
    ShardId shard = new ShardId("a");
    try (RootAllocator allocator = new RootAllocator()) {
      new Generations(Path.of(table.walUri()), allocator).seal(shard, 1, 0, 10);
    }
    WorkSpec merge =
        new MergeWal(
            new TreeMap<>(Map.of(shard, new GenerationRange(1, 1))),
            new TreeMap<>(),
            MergeMode.APPEND,
            List.of());
    order(table, unit, Kind.MERGE_WAL, merge, EXECUTOR, incarnation);
  }

  private void order(
      TableRegistered table,
      long unit,
      Kind kind,
      WorkSpec spec,
      ExecutorId executor,
      long incarnation)
      throws Exception {
    Assignment order =
        new RunUnit(
            new Attempt(new UnitId(TABLE, unit), 1, executor, incarnation),
            kind,
            Mode.OUTSIDE,
            spec,
            table.tableIncarnation(),
            table.uri(),
            table.walUri(),
            0);
    tail.send(Topic.ASSIGNMENT, Topics.keyOf(order), order);
  }

  private void awaitReleased(long unit) {
    tail.await(UnitReleased.class, event -> event.attempt().unit().sequence() == unit);
  }

  private List<Long> claimed() {
    return tail.all(UnitClaimed.class).stream()
        .map(event -> event.attempt().unit().sequence())
        .toList();
  }

  private static boolean isEmpty(Path folder) {
    try (Stream<Path> files = Files.list(folder)) {
      return files.findAny().isEmpty();
    } catch (NoSuchFileException e) {
      return true;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private WorkerConfig config() {
    return config(Map.of());
  }

  private WorkerConfig config(Map<String, String> kafka) {
    return new WorkerConfig(
        broker.bootstrap(),
        kafka,
        topics.prefix(),
        new EtcdSettings(
            List.of(etcd.endpoint()),
            "/" + topics.prefix() + "/",
            EtcdSettings.DEFAULT_CALL_TIMEOUT),
        EXECUTOR,
        new PoolId("default"),
        WorkerConfig.DEFAULT_SLOTS,
        WorkerConfig.DEFAULT_BYTES_TOTAL,
        WorkerConfig.DEFAULT_OBSERVE_TARGET_ROWS,
        WorkerConfig.DEFAULT_OBSERVE_TARGET_BYTES,
        0);
  }
}
