package io.turnkeeper.events;

import io.turnkeeper.events.CommittedRecords.WhenGone;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;

/**
 * Reads the committed records of a partition as they are, up to where it ends when reading begins.
 * It joins no group and commits nothing. For one thread.
 */
public final class CommittedReader implements AutoCloseable {
  private static final Duration POLL = Duration.ofMillis(100);

  private final KafkaConsumer<byte[], byte[]> consumer;
  private final Set<String> known = new HashSet<>();

  /** Connects with the settings of a client, for example {@code bootstrap.servers}. */
  public CommittedReader(Map<String, ?> clientSettings) {
    consumer = CommittedRecords.consumer(clientSettings, WhenGone.EARLIEST);
  }

  /** Every record of a partition. */
  public void read(TopicPartition partition, Consumer<ConsumerRecord<byte[], byte[]>> into) {
    requireThere(partition.topic());
    consumer.assign(List.of(partition));
    consumer.seekToBeginning(List.of(partition));
    long end = end(partition);
    while (consumer.position(partition) < end) {
      consumer.poll(POLL).forEach(into);
    }
  }

  /** Every record of a topic, partition after partition. */
  public void readAll(String topic, Consumer<ConsumerRecord<byte[], byte[]>> into) {
    requireThere(topic);
    for (PartitionInfo info : consumer.partitionsFor(topic)) {
      read(new TopicPartition(topic, info.partition()), into);
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

  /** The client would wait for a minute for a topic that is not there. */
  private void requireThere(String topic) {
    if (!known.contains(topic)) {
      known.addAll(consumer.listTopics().keySet());
    }
    if (!known.contains(topic)) {
      throw new IllegalStateException(
          "expected the topic " + topic + ", but the brokers have none of that name");
    }
  }

  private long end(TopicPartition partition) {
    return Objects.requireNonNull(consumer.endOffsets(List.of(partition)).get(partition));
  }

  @Override
  public void close() {
    consumer.close();
  }
}
