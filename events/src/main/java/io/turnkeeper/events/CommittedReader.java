package io.turnkeeper.events;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * Reads the committed records of a partition as they are, up to where it ends when reading begins.
 * It joins no group and commits nothing. For one thread.
 */
public final class CommittedReader implements AutoCloseable {
  private static final Duration POLL = Duration.ofMillis(100);

  private final KafkaConsumer<byte[], byte[]> consumer;

  /** Connects with the settings of a client, for example {@code bootstrap.servers}. */
  public CommittedReader(Map<String, ?> clientSettings) {
    Map<String, Object> settings = new HashMap<>(clientSettings);
    settings.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
    settings.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
    settings.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest");
    settings.remove(ConsumerConfig.GROUP_ID_CONFIG);
    consumer =
        new KafkaConsumer<>(settings, new ByteArrayDeserializer(), new ByteArrayDeserializer());
  }

  /** Every record of a partition. */
  public void read(TopicPartition partition, Consumer<ConsumerRecord<byte[], byte[]>> into) {
    consumer.assign(List.of(partition));
    consumer.seekToBeginning(List.of(partition));
    long end = end(partition);
    while (consumer.position(partition) < end) {
      consumer.poll(POLL).forEach(into);
    }
  }

  /** The record at an offset, if it is there and committed. */
  public Optional<ConsumerRecord<byte[], byte[]>> at(TopicPartition partition, long offset) {
    consumer.assign(List.of(partition));
    consumer.seek(partition, offset);
    long end = end(partition);
    while (offset < end && consumer.position(partition) < end) {
      for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL)) {
        return record.offset() == offset ? Optional.of(record) : Optional.empty();
      }
    }
    return Optional.empty();
  }

  private long end(TopicPartition partition) {
    return Objects.requireNonNull(consumer.endOffsets(List.of(partition)).get(partition));
  }

  @Override
  public void close() {
    consumer.close();
  }
}
