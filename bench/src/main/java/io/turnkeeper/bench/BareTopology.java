package io.turnkeeper.bench;

import io.turnkeeper.core.Event;
import io.turnkeeper.core.partition.JournalEntry;
import io.turnkeeper.core.partition.Source;
import io.turnkeeper.events.InvalidRecordException;
import io.turnkeeper.events.RecordCodec;
import io.turnkeeper.events.Topic;
import io.turnkeeper.events.Topics;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.processor.api.RecordMetadata;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.Stores;
import org.jspecify.annotations.Nullable;

/**
 * A topology of the scheduler's shape without its rules: it decodes an event, reads and writes 500
 * bytes under its key, and writes an entry and a decision, all in one transaction.
 */
final class BareTopology {
  static final String APPLICATION = "bare";
  private static final String SOURCE = "source";
  private static final String PROCESSOR = "processor";
  private static final String STORE = "states";
  private static final String JOURNAL = "journal-sink";
  private static final String DECISION = "decision-sink";
  private static final int STATE_BYTES = 500;
  private static final int DECISION_BYTES = 200;

  private BareTopology() {}

  static KafkaStreams start(Cluster cluster, long commitIntervalMillis) {
    KafkaStreams streams =
        new KafkaStreams(
            topology(cluster.topics, cluster.codec), properties(cluster, commitIntervalMillis));
    streams.start();
    return streams;
  }

  private static Topology topology(Topics topics, RecordCodec codec) {
    Topology topology = new Topology();
    topology.addSource(
        SOURCE,
        new ByteArrayDeserializer(),
        new ByteArrayDeserializer(),
        topics.name(Topic.DEMAND));
    topology.addProcessor(PROCESSOR, () -> new Step(codec), SOURCE);
    topology.addStateStore(
        Stores.keyValueStoreBuilder(
                Stores.persistentKeyValueStore(STORE), Serdes.ByteArray(), Serdes.ByteArray())
            .withLoggingEnabled(Map.of())
            .withCachingEnabled(),
        PROCESSOR);
    addSink(topology, JOURNAL, topics.name(Topic.JOURNAL));
    addSink(topology, DECISION, topics.name(Topic.DECISION));
    return topology;
  }

  private static void addSink(Topology topology, String name, String topic) {
    topology.addSink(name, topic, new ByteArraySerializer(), new ByteArraySerializer(), PROCESSOR);
  }

  /** The scheduler's own, as far as they concern speed. */
  private static Properties properties(Cluster cluster, long commitIntervalMillis) {
    Properties p = new Properties();
    p.putAll(cluster.client());
    p.put(StreamsConfig.APPLICATION_ID_CONFIG, APPLICATION);
    p.put(StreamsConfig.STATE_DIR_CONFIG, cluster.directory.resolve(APPLICATION).toString());
    p.put(StreamsConfig.PROCESSING_GUARANTEE_CONFIG, StreamsConfig.EXACTLY_ONCE_V2);
    p.put("enable.transactional.statestores", "true");
    p.put(StreamsConfig.COMMIT_INTERVAL_MS_CONFIG, commitIntervalMillis);
    p.put(StreamsConfig.POLL_MS_CONFIG, Math.min(100, commitIntervalMillis));
    p.put(StreamsConfig.MAX_TASK_IDLE_MS_CONFIG, -1L);
    p.put(StreamsConfig.REPLICATION_FACTOR_CONFIG, 1);
    p.put(StreamsConfig.producerPrefix(ProducerConfig.RETRY_BACKOFF_MS_CONFIG), 5);
    p.put(StreamsConfig.consumerPrefix(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG), "earliest");
    return p;
  }

  private static final class Step implements Processor<byte[], byte[], byte[], byte[]> {
    private final RecordCodec codec;
    private @Nullable ProcessorContext<byte[], byte[]> contextOrNull;
    private long sequence;

    Step(RecordCodec codec) {
      this.codec = codec;
    }

    @Override
    public void init(ProcessorContext<byte[], byte[]> context) {
      contextOrNull = context;
    }

    @Override
    public void process(Record<byte[], byte[]> input) {
      ProcessorContext<byte[], byte[]> context = Objects.requireNonNull(contextOrNull);
      KeyValueStore<byte[], byte[]> states = context.getStateStore(STORE);
      byte[] before = states.get(input.key());
      byte[] after = before == null ? new byte[STATE_BYTES] : before.clone();
      after[(int) (sequence % STATE_BYTES)]++;
      states.put(input.key(), after);
      context.forward(input.withValue(entry(input, context)), JOURNAL);
      context.forward(input.withValue(new byte[DECISION_BYTES]), DECISION);
    }

    private byte[] entry(Record<byte[], byte[]> input, ProcessorContext<byte[], byte[]> context) {
      RecordMetadata from = context.recordMetadata().orElseThrow();
      sequence++;
      try {
        return codec.encode(
            new JournalEntry(
                sequence,
                context.currentSystemTimeMs(),
                new Source(from.topic(), from.partition(), from.offset()),
                codec.decode(input.value(), Event.class)));
      } catch (InvalidRecordException e) {
        throw new IllegalStateException("expected an event", e);
      }
    }
  }
}
