package io.turnkeeper.local;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.stream.Collectors.toMap;

import io.turnkeeper.core.ExecutorId;
import io.turnkeeper.core.Kind;
import io.turnkeeper.core.PoolId;
import io.turnkeeper.core.ShardId;
import io.turnkeeper.core.TableId;
import io.turnkeeper.core.partition.Settings;
import io.turnkeeper.core.pool.ExecutorEvent.ExecutorHeartbeat;
import io.turnkeeper.core.table.DemandEvent.SealSource;
import io.turnkeeper.core.table.DemandEvent.TableRegistered;
import io.turnkeeper.core.table.DemandEvent.WalSealed;
import io.turnkeeper.core.table.MergeMode;
import io.turnkeeper.core.table.TableEvent;
import io.turnkeeper.events.AuditReader;
import io.turnkeeper.events.CommittedReader;
import io.turnkeeper.events.EventProducer;
import io.turnkeeper.events.JournalStep;
import io.turnkeeper.events.RecordCodec;
import io.turnkeeper.events.Topics;
import io.turnkeeper.streams.RebuildListener;
import io.turnkeeper.streams.RebuildMode;
import io.turnkeeper.streams.Scheduler;
import io.turnkeeper.streams.SchedulerConfig;
import io.turnkeeper.streams.Sharing;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListTopicsOptions;
import org.apache.kafka.clients.admin.RemoveMembersFromConsumerGroupOptions;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;

/** A real broker with the topics of one scheduler, and what tests do with both from outside. */
public final class SchedulerOnBroker implements AutoCloseable {
  private static final Duration LIMIT = Duration.ofSeconds(150);

  /** Nobody claims what is assigned here; on a slow machine it must not be given away meanwhile. */
  private static final Settings PATIENT = patient(Duration.ofHours(1).toMillis());

  private static final PoolId POOL = new PoolId("default");

  private final Path directory;
  private final Brokers broker;
  public final Topics topics;
  public final RecordCodec codec = new RecordCodec();
  public final Admin admin;
  public final EventProducer producer;
  private final List<Future<RecordMetadata>> sending = new ArrayList<>();

  public SchedulerOnBroker(Path directory, int tablePartitions) {
    this(directory, Brokers.chosen(directory), tablePartitions);
  }

  /** On these brokers, which it closes in the end. */
  public SchedulerOnBroker(Path directory, Brokers broker, int tablePartitions) {
    this.directory = directory;
    this.broker = broker;
    // Nothing of another test or run may be there already.
    topics = new Topics("test-" + Uuid.randomUuid() + ".", tablePartitions, 1);
    admin = Admin.create(client());
    topics.create(admin, replication());
    producer = new EventProducer(client(), topics, codec, "/tests");
  }

  public Map<String, Object> client() {
    return Map.of("bootstrap.servers", broker.bootstrap());
  }

  public String bootstrap() {
    return broker.bootstrap();
  }

  /** The Streams application, whose name its group and its internal topics have. */
  public String application() {
    return topics.prefix() + "scheduler";
  }

  /** What the copies of the topics have. */
  public short replication() {
    return broker.replication();
  }

  /** The options that lead a command here. */
  public String[] where() {
    return new String[] {
      "--bootstrap-servers=" + bootstrap(),
      "--prefix=" + topics.prefix(),
      "--application-id=" + application()
    };
  }

  /** The topics that the stores are restored from. */
  public List<String> changelogs() {
    return List.of(application() + "-tables-changelog", application() + "-pools-changelog");
  }

  public Path stateDir() {
    return directory.resolve("streams");
  }

  /** The scheduler's local stores are gone, and what they could be restored from. */
  public void deleteStores() throws Exception {
    Trees.delete(stateDir());
    admin.deleteTopics(changelogs()).all().get();
  }

  public SchedulerConfig config() {
    return new SchedulerConfig(
        broker.bootstrap(),
        topics.prefix(),
        application(),
        "one",
        stateDir(),
        topics.tablePartitions(),
        topics.poolPartitions(),
        replication(),
        25,
        Map.of(),
        Sharing.DEFAULT,
        PATIENT);
  }

  /** The scheduler's group and its offsets are gone. It must not run. */
  public void deleteGroup() throws Exception {
    // A static member stays in its group until its session ends, unless it is removed.
    admin
        .removeMembersFromConsumerGroup(application(), new RemoveMembersFromConsumerGroupOptions())
        .all()
        .get();
    admin.deleteConsumerGroups(List.of(application())).all().get();
  }

  /** Starts a scheduler and waits until it runs. */
  public Scheduler start(RebuildMode mode, RebuildListener listener) throws Exception {
    Scheduler scheduler = new Scheduler(config(), mode, listener);
    try {
      scheduler.start();
      long deadline = System.nanoTime() + LIMIT.toNanos();
      while (!scheduler.running()) {
        scheduler.rebuildIfBehind();
        if (System.nanoTime() > deadline) {
          throw new AssertionError("expected the scheduler to run within " + LIMIT);
        }
        Thread.sleep(20);
      }
      return scheduler;
    } catch (Exception | AssertionError e) {
      scheduler.close();
      throw e;
    }
  }

  public void send(TableEvent event) {
    sending.add(producer.publish(event));
  }

  public void register(TableId table) {
    send(
        new TableRegistered(
            table, 1, "/tables/" + table, "/wal/" + table, List.of(), MergeMode.APPEND, List.of()));
  }

  public void seal(TableId table, String shard, long through) {
    send(
        new WalSealed(
            table,
            1,
            new ShardId(shard),
            1,
            through,
            100 * through,
            10 * through,
            System.currentTimeMillis(),
            SealSource.WRITER));
  }

  /** An executor that takes up to 64 units of each of these kinds. */
  public void heartbeat(String executor, Kind... kinds) {
    sending.add(
        producer.publish(
            new ExecutorHeartbeat(
                POOL,
                new ExecutorId(executor),
                1,
                Stream.of(kinds).collect(toMap(kind -> kind, kind -> 64, Math::max, TreeMap::new)),
                1L << 34,
                false,
                "test",
                new TreeMap<>(),
                List.of())));
  }

  /** Waits until the broker has everything that was sent. */
  public void awaitSent() throws Exception {
    for (Future<RecordMetadata> one : sending) {
      one.get(LIMIT.toSeconds(), TimeUnit.SECONDS);
    }
    sending.clear();
  }

  /** How many instances of the scheduler have something to do. */
  public long instances() {
    return answer(admin.describeConsumerGroups(List.of(application())).all()).values().stream()
        .flatMap(group -> group.members().stream())
        .filter(member -> !member.assignment().topicPartitions().isEmpty())
        .map(member -> member.groupInstanceId().orElse(member.clientId()))
        .distinct()
        .count();
  }

  /** The broker that takes what is written to a partition. */
  public int leader(TopicPartition partition) {
    return Objects.requireNonNull(
            answer(admin.describeTopics(List.of(partition.topic())).allTopicNames())
                .get(partition.topic()))
        .partitions()
        .get(partition.partition())
        .leader()
        .id();
  }

  /** The broker that leads the others. */
  public int controller() {
    return answer(admin.describeMetadataQuorum().quorumInfo()).leaderId();
  }

  /** Whether every copy of every partition has all. */
  public boolean isReplicated() {
    Set<String> all = answer(admin.listTopics(new ListTopicsOptions().listInternal(true)).names());
    return answer(admin.describeTopics(all).allTopicNames()).values().stream()
        .flatMap(topic -> topic.partitions().stream())
        .allMatch(partition -> partition.isr().size() == partition.replicas().size());
  }

  private static <T> T answer(KafkaFuture<T> future) {
    try {
      return future.get();
    } catch (ExecutionException e) {
      throw new AssertionError(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError(e);
    }
  }

  /** All steps of the tables' and the pool's journals. */
  public List<JournalStep> history() throws Exception {
    List<JournalStep> steps = new ArrayList<>();
    try (AuditReader reader = new AuditReader(client(), topics, codec)) {
      reader.tables(steps::add);
      reader.pools(steps::add);
    }
    return steps;
  }

  /** The newest bytes of each key of a topic, by partition and key; not of those removed since. */
  public SortedMap<String, byte[]> newest(String topic) {
    SortedMap<String, byte[]> newest = new TreeMap<>();
    read(topic, record -> newest.put(place(record), record.value()));
    newest.values().removeIf(Objects::isNull);
    return newest;
  }

  private static String place(ConsumerRecord<byte[], byte[]> record) {
    return record.partition() + "/" + new String(record.key(), UTF_8);
  }

  /** Every committed record of a topic up to where it ends now. */
  public void read(String topic, Consumer<ConsumerRecord<byte[], byte[]>> into) {
    try (CommittedReader reader = new CommittedReader(client())) {
      reader.readAll(topic, into);
    }
  }

  /** Every committed record of a partition up to where it ends now. */
  public void read(TopicPartition partition, Consumer<ConsumerRecord<byte[], byte[]>> into) {
    try (CommittedReader reader = new CommittedReader(client())) {
      reader.read(partition, into);
    }
  }

  private static Settings patient(long millis) {
    Settings usual = Settings.DEFAULT;
    return new Settings(
        millis,
        usual.takeTimeoutMillis(),
        usual.cancelTimeoutMillis(),
        millis,
        usual.placementsPerMinute(),
        usual.bytesInFlight(),
        usual.compactPrepareTargets(),
        usual.indexPrepareTargets());
  }

  /** Waits for a condition. */
  public static void await(String what, BooleanSupplier condition) throws InterruptedException {
    long deadline = System.nanoTime() + LIMIT.toNanos();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() > deadline) {
        throw new AssertionError("expected " + what + " within " + LIMIT);
      }
      Thread.sleep(50);
    }
  }

  private void deleteTopics() {
    Set<String> own = new TreeSet<>(answer(admin.listTopics().names()));
    own.removeIf(topic -> !topic.startsWith(topics.prefix()));
    answer(admin.deleteTopics(own).all());
  }

  @Override
  public void close() {
    producer.close();
    try {
      if (broker.isShared()) {
        deleteTopics();
      }
    } finally {
      admin.close();
      broker.close();
    }
  }
}
