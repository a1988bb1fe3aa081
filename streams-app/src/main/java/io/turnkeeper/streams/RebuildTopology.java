package io.turnkeeper.streams;

import io.turnkeeper.events.RecordCodec;
import io.turnkeeper.events.Topic;
import io.turnkeeper.events.Topics;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.streams.AutoOffsetReset;
import org.apache.kafka.streams.Topology;

/**
 * The scheduler's stores, filled from its journals instead of its inputs. The parts stand in the
 * order of {@link SchedulerTopology}, so that a task finds the directory of its store.
 */
final class RebuildTopology {
  private RebuildTopology() {}

  static Topology build(Topics topics, RecordCodec codec, RebuildPart tables, RebuildPart pools) {
    Topology topology = new Topology();
    topology.addSource(
        AutoOffsetReset.earliest(),
        Nodes.TABLE_SOURCE,
        new SequenceOrder(codec),
        new ByteArrayDeserializer(),
        new ByteArrayDeserializer(),
        topics.name(Topic.JOURNAL),
        topics.name(Topic.DECISION));
    topology.addProcessor(
        Nodes.TABLE_PROCESSOR,
        () -> new RebuildProcessor<>(new TableSubject(), tables, codec),
        Nodes.TABLE_SOURCE);
    finish(topology, tables, Nodes.TABLE_PROCESSOR);
    topology.addSource(
        AutoOffsetReset.earliest(),
        Nodes.POOL_SOURCE,
        new SequenceOrder(codec),
        new ByteArrayDeserializer(),
        new ByteArrayDeserializer(),
        topics.name(Topic.POOL_JOURNAL),
        topics.name(Topic.POOL_DECISION));
    topology.addProcessor(
        Nodes.POOL_PROCESSOR,
        () -> new RebuildProcessor<>(new PoolSubject(), pools, codec),
        Nodes.POOL_SOURCE);
    finish(topology, pools, Nodes.POOL_PROCESSOR);
    return topology;
  }

  private static void finish(Topology topology, RebuildPart part, String processor) {
    topology.addStateStore(SchedulerTopology.store(part.store()), processor);
    SchedulerTopology.addSink(topology, part.journalSink(), part.journal(), processor);
  }
}
