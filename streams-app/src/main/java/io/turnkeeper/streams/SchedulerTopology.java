package io.turnkeeper.streams;

import io.turnkeeper.core.Event;
import io.turnkeeper.core.partition.Settings;
import io.turnkeeper.core.table.PolicyApplied;
import io.turnkeeper.core.table.Probe;
import io.turnkeeper.events.RecordCodec;
import io.turnkeeper.events.Topic;
import io.turnkeeper.events.Topics;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.StoreBuilder;
import org.apache.kafka.streams.state.Stores;

/** Two sub-topologies of the same shape: tables decide what they want, pools where it runs. */
final class SchedulerTopology {
  /** What a task of a table partition reads. */
  static final List<Topic> TABLE_INPUTS =
      List.of(
          Topic.DEMAND,
          Topic.CLAIM,
          Topic.CHECKPOINT,
          Topic.PUBLISH,
          Topic.POLICY,
          Topic.PLACEMENT);

  /** What a task of a pool partition reads. */
  static final List<Topic> POOL_INPUTS = List.of(Topic.EXECUTOR, Topic.POOL_INBOX);

  private SchedulerTopology() {}

  /**
   * Builds the topology.
   *
   * @param topics the names and partition counts
   * @param settings what this process records at every start
   * @param monotonicNanos the monotonic clock, {@code System::nanoTime} outside tests
   */
  static Topology build(
      Topics topics,
      RecordCodec codec,
      Settings settings,
      LongSupplier monotonicNanos,
      Half tables,
      Half pools) {
    Topology topology = new Topology();
    addTables(topology, topics, codec, settings, monotonicNanos, tables);
    addPools(topology, topics, codec, settings, monotonicNanos, pools);
    return topology;
  }

  private static void addTables(
      Topology topology,
      Topics topics,
      RecordCodec codec,
      Settings settings,
      LongSupplier monotonicNanos,
      Half half) {
    ProcessorSinks sinks =
        new ProcessorSinks(
            Nodes.TABLE_STORE,
            Nodes.JOURNAL_SINK,
            Nodes.DECISION_SINK,
            Nodes.TABLE_REJECTED_SINK,
            Nodes.TABLE_STATE_SINK,
            topics.tablePartitions(),
            (event, topic) -> fits(event, topic, topics));
    topology.addSource(
        Nodes.TABLE_SOURCE,
        new ByteArrayDeserializer(),
        new ByteArrayDeserializer(),
        names(topics, TABLE_INPUTS).toArray(String[]::new));
    topology.addProcessor(
        Nodes.TABLE_PROCESSOR,
        () -> new FoldProcessor<>(new TableSubject(), sinks, codec, settings, monotonicNanos, half),
        Nodes.TABLE_SOURCE);
    topology.addStateStore(store(Nodes.TABLE_STORE), Nodes.TABLE_PROCESSOR);
    Map.of(
            Nodes.JOURNAL_SINK, topics.name(Topic.JOURNAL),
            Nodes.DECISION_SINK, topics.name(Topic.DECISION),
            Nodes.TABLE_REJECTED_SINK, topics.name(Topic.REJECTED),
            Nodes.TABLE_STATE_SINK, topics.name(Topic.TABLE_STATE),
            Nodes.ASSIGNMENT_SINK, topics.name(Topic.ASSIGNMENT),
            Nodes.POOL_INBOX_SINK, topics.name(Topic.POOL_INBOX),
            Nodes.CLAIM_PROBE_SINK, topics.name(Topic.CLAIM),
            Nodes.CHECKPOINT_PROBE_SINK, topics.name(Topic.CHECKPOINT),
            Nodes.PUBLISH_PROBE_SINK, topics.name(Topic.PUBLISH))
        .forEach((sink, topic) -> addSink(topology, sink, topic, Nodes.TABLE_PROCESSOR));
  }

  private static void addPools(
      Topology topology,
      Topics topics,
      RecordCodec codec,
      Settings settings,
      LongSupplier monotonicNanos,
      Half half) {
    ProcessorSinks sinks =
        new ProcessorSinks(
            Nodes.POOL_STORE,
            Nodes.POOL_JOURNAL_SINK,
            Nodes.POOL_DECISION_SINK,
            Nodes.POOL_REJECTED_SINK,
            null,
            topics.poolPartitions(),
            (event, topic) -> fits(event, topic, topics));
    topology.addSource(
        Nodes.POOL_SOURCE,
        new ByteArrayDeserializer(),
        new ByteArrayDeserializer(),
        names(topics, POOL_INPUTS).toArray(String[]::new));
    topology.addProcessor(
        Nodes.POOL_PROCESSOR,
        () -> new FoldProcessor<>(new PoolSubject(), sinks, codec, settings, monotonicNanos, half),
        Nodes.POOL_SOURCE);
    topology.addStateStore(store(Nodes.POOL_STORE), Nodes.POOL_PROCESSOR);
    Map.of(
            Nodes.POOL_JOURNAL_SINK, topics.name(Topic.POOL_JOURNAL),
            Nodes.POOL_DECISION_SINK, topics.name(Topic.POOL_DECISION),
            Nodes.POOL_REJECTED_SINK, topics.name(Topic.REJECTED),
            Nodes.PLACEMENT_SINK, topics.name(Topic.PLACEMENT),
            Nodes.EXECUTOR_PROBE_SINK, topics.name(Topic.EXECUTOR))
        .forEach((sink, topic) -> addSink(topology, sink, topic, Nodes.POOL_PROCESSOR));
  }

  /** A probe comes back on the topic whose silence it checks; all else has one topic or none. */
  private static boolean fits(Event event, String topic, Topics topics) {
    if (event instanceof PolicyApplied) {
      return false; // Only the task itself says so, in its journal.
    }
    return event instanceof Probe
        ? Set.of(
                topics.name(Topic.CLAIM), topics.name(Topic.CHECKPOINT), topics.name(Topic.PUBLISH))
            .contains(topic)
        : topics.name(Topics.topicOf(event)).equals(topic);
  }

  /** What topics are called here. */
  /** The topics that both halves read. */
  static List<String> inputs(Topics topics) {
    return Stream.concat(TABLE_INPUTS.stream(), POOL_INPUTS.stream()).map(topics::name).toList();
  }

  static List<String> names(Topics topics, List<Topic> of) {
    return of.stream().map(topics::name).toList();
  }

  static void addSink(Topology topology, String sink, String topic, String parent) {
    topology.addSink(
        sink,
        topic,
        new Address.KeySerializer(),
        new ByteArraySerializer(),
        new Address.Partitioner(),
        parent);
  }

  static StoreBuilder<KeyValueStore<byte[], byte[]>> store(String name) {
    return Stores.keyValueStoreBuilder(
            Stores.persistentKeyValueStore(name), Serdes.ByteArray(), Serdes.ByteArray())
        .withLoggingEnabled(Map.of())
        .withCachingEnabled();
  }
}
