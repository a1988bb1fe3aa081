package io.turnkeeper.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.turnkeeper.core.Attempt;
import io.turnkeeper.core.ExecutorId;
import io.turnkeeper.core.Kind;
import io.turnkeeper.core.PoolId;
import io.turnkeeper.core.TableId;
import io.turnkeeper.core.UnitId;
import io.turnkeeper.core.pool.ExecutorEvent.ExecutorGone;
import io.turnkeeper.core.pool.ExecutorEvent.ExecutorHeartbeat;
import io.turnkeeper.core.table.Assignment;
import io.turnkeeper.core.table.Assignment.RunUnit;
import io.turnkeeper.core.table.ClaimEvent.UnitReleased;
import io.turnkeeper.core.table.DemandEvent.TableObserved;
import io.turnkeeper.core.table.DemandEvent.TableRegistered;
import io.turnkeeper.core.table.Mode;
import io.turnkeeper.core.table.PublishEvent.UnitPublished;
import io.turnkeeper.core.table.WorkSpec.Observe;
import io.turnkeeper.events.TestBroker;
import io.turnkeeper.events.Topic;
import io.turnkeeper.events.Topics;
import io.turnkeeper.worker.authority.EtcdProcess;
import io.turnkeeper.worker.authority.EtcdSettings;
import io.turnkeeper.worker.wal.Generations;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
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
    Assignment order =
        new RunUnit(
            new Attempt(new UnitId(TABLE, unit), 1, executor, incarnation),
            Kind.OBSERVE,
            Mode.OUTSIDE,
            new Observe(),
            table.tableIncarnation(),
            table.uri(),
            table.walUri(),
            0);
    tail.send(Topic.ASSIGNMENT, Topics.keyOf(order), order);
  }

  private WorkerConfig config() {
    return new WorkerConfig(
        broker.bootstrap(),
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
