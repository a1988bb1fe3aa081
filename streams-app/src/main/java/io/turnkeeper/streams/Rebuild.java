package io.turnkeeper.streams;

import io.turnkeeper.core.partition.PartitionState;
import io.turnkeeper.events.RecordCodec;
import io.turnkeeper.events.Topic;
import io.turnkeeper.events.Topics;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.errors.StreamsUncaughtExceptionHandler.StreamThreadExceptionResponse;
import org.jspecify.annotations.Nullable;

/**
 * Fills the stores of a scheduler that does not run from its journals. It may be ended at any
 * moment and begun again; until it is through, the scheduler refuses to start.
 */
final class Rebuild {
  private static final Duration STOP_LIMIT = Duration.ofSeconds(60);
  private static final long PROGRESS_MILLIS = 200;

  /** A transaction ends at a commit, which is due much more often than this. */
  private static final int TRANSACTION_MILLIS = 60_000;

  /** Short, so that much of what is done stays done if it is ended. */
  private static final long COMMIT_MILLIS = 500;

  private final SchedulerConfig config;
  private final Topics topics;
  private final RecordCodec codec;
  private final RebuildListener listener;

  Rebuild(SchedulerConfig config, RecordCodec codec, RebuildListener listener) {
    this.config = config;
    this.topics = config.topics();
    this.codec = codec;
    this.listener = listener;
  }

  /**
   * Returns when every store has all that its journal has.
   *
   * @throws RebuildRefusedException if another instance of the scheduler runs
   */
  void run() throws InterruptedException {
    try (Admin admin = Admin.create(config.client())) {
      SchedulerGroup group = new SchedulerGroup(admin, config);
      group.claim();
      group.forget(sources());
      Rebuilding tables = rebuilding(Topic.JOURNAL, Topic.DECISION);
      Rebuilding pools = rebuilding(Topic.POOL_JOURNAL, Topic.POOL_DECISION);
      fill(tables, pools);
      group.leave();
      group.raise(inputs(tables, pools, TopicIds.of(admin, SchedulerTopology.inputs(topics))));
      group.forget(sources());
    }
  }

  private Set<String> sources() {
    return Set.of(
        topics.name(Topic.JOURNAL),
        topics.name(Topic.DECISION),
        topics.name(Topic.POOL_JOURNAL),
        topics.name(Topic.POOL_DECISION));
  }

  private Rebuilding rebuilding(Topic journal, Topic decisions) {
    try (JournalEnds ends = new JournalEnds(config.client(), codec)) {
      List<RebuildTarget> targets =
          IntStream.range(0, topics.partitions(journal))
              .mapToObj(
                  partition -> {
                    TopicPartition own = new TopicPartition(topics.name(journal), partition);
                    return new RebuildTarget(
                        ends.oldestEntry(own),
                        ends.newestEntry(own),
                        ends.newestOffset(new TopicPartition(topics.name(decisions), partition)));
                  })
              .toList();
      return new Rebuilding(targets, listener);
    }
  }

  private void fill(Rebuilding tables, Rebuilding pools) throws InterruptedException {
    TableStateReader shown = new TableStateReader(config.client(), codec);
    String tableState = topics.name(Topic.TABLE_STATE);
    RebuildPart tablePart =
        new RebuildPart(
            Nodes.TABLE_STORE,
            topics.name(Topic.JOURNAL),
            Nodes.JOURNAL_SINK,
            partition -> shown.newest(new TopicPartition(tableState, partition)),
            tables);
    RebuildPart poolPart =
        new RebuildPart(
            Nodes.POOL_STORE,
            topics.name(Topic.POOL_JOURNAL),
            Nodes.POOL_JOURNAL_SINK,
            partition -> new TreeMap<>(),
            pools);
    AtomicReference<Throwable> failure = new AtomicReference<>();
    try (KafkaStreams streams =
        new KafkaStreams(
            RebuildTopology.build(topics, codec, tablePart, poolPart), properties(config))) {
      streams.setUncaughtExceptionHandler(
          e -> {
            failure.compareAndSet(null, e);
            return StreamThreadExceptionResponse.SHUTDOWN_CLIENT;
          });
      streams.start();
      await(tables, pools, failure);
      if (!streams.close(STOP_LIMIT)) {
        throw new IllegalStateException("expected the rebuild to end within " + STOP_LIMIT);
      }
    }
  }

  private void await(Rebuilding tables, Rebuilding pools, AtomicReference<Throwable> failure)
      throws InterruptedException {
    long of = tables.entriesInAll() + pools.entriesInAll();
    boolean done = false;
    while (!done) {
      done =
          tables.open().await(PROGRESS_MILLIS, TimeUnit.MILLISECONDS)
              && pools.open().await(PROGRESS_MILLIS, TimeUnit.MILLISECONDS);
      listener.progressed(tables.entries() + pools.entries(), of);
      Throwable cause = failure.get();
      if (cause != null) {
        throw new IllegalStateException("the rebuild failed", cause);
      }
    }
  }

  /** The scheduler's own settings, with transactions for bulk instead of latency. */
  private static Properties properties(SchedulerConfig config) {
    Properties p = SchedulerApp.properties(config);
    p.remove(StreamsConfig.consumerPrefix(ConsumerConfig.GROUP_INSTANCE_ID_CONFIG));
    p.put(StreamsConfig.CLIENT_ID_CONFIG, config.instanceId() + "-rebuild");
    p.put(StreamsConfig.COMMIT_INTERVAL_MS_CONFIG, COMMIT_MILLIS);
    p.put(StreamsConfig.producerPrefix("transaction.timeout.ms"), TRANSACTION_MILLIS);
    // An entry may not be read past its decisions: what is known to be there is waited for.
    p.put(StreamsConfig.MAX_TASK_IDLE_MS_CONFIG, 0L);
    return p;
  }

  /** What the states say of how far the inputs were folded. */
  private Map<TopicPartition, Long> inputs(
      Rebuilding tables, Rebuilding pools, Map<String, String> ids) {
    Map<TopicPartition, Long> inputs = new HashMap<>();
    for (int partition = 0; partition < topics.tablePartitions(); partition++) {
      addInputs(tables.state(partition), ids, inputs);
    }
    for (int partition = 0; partition < topics.poolPartitions(); partition++) {
      addInputs(pools.state(partition), ids, inputs);
    }
    return inputs;
  }

  /** A topic that was made anew is read from its beginning, however far the one before it was. */
  private static void addInputs(
      @Nullable PartitionState state, Map<String, String> ids, Map<TopicPartition, Long> into) {
    if (state == null) {
      return;
    }
    state
        .nextOffsets()
        .forEach(
            (input, next) -> {
              int dash = input.lastIndexOf('-');
              String topic = input.substring(0, dash);
              String id = ids.get(topic);
              if (id != null && state.isOf(topic, id)) {
                into.put(
                    new TopicPartition(topic, Integer.parseInt(input.substring(dash + 1))), next);
              }
            });
  }
}
