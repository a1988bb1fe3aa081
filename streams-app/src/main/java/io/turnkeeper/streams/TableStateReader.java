package io.turnkeeper.streams;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.turnkeeper.events.InvalidRecordException;
import io.turnkeeper.events.RecordCodec;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** Reads the newest record of each key of a compacted topic: what readers see, or a store. */
final class TableStateReader {
  private static final Duration POLL = Duration.ofMillis(100);

  private final Map<String, ?> clientSettings;
  private final RecordCodec codec;

  TableStateReader(Map<String, ?> clientSettings, RecordCodec codec) {
    this.clientSettings = clientSettings;
    this.codec = codec;
  }

  /** The newest records of one partition, decoded. */
  SortedMap<String, Object> newest(TopicPartition partition) {
    SortedMap<String, Object> decoded = new TreeMap<>();
    newestBytes(partition).forEach((key, value) -> decoded.put(key, decoded(partition, value)));
    return decoded;
  }

  /** The newest records of one partition as they are. */
  SortedMap<String, byte[]> newestBytes(TopicPartition partition) {
    Map<String, Object> settings = new HashMap<>(clientSettings);
    settings.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
    settings.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
    settings.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest");
    SortedMap<String, byte[]> newest = new TreeMap<>();
    try (KafkaConsumer<byte[], byte[]> consumer =
        new KafkaConsumer<>(settings, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
      consumer.assign(List.of(partition));
      consumer.seekToBeginning(List.of(partition));
      long end = Objects.requireNonNull(consumer.endOffsets(List.of(partition)).get(partition));
      while (consumer.position(partition) < end) {
        for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL)) {
          String key = new String(record.key(), UTF_8);
          if (record.value() == null) {
            newest.remove(key);
          } else {
            newest.put(key, record.value());
          }
        }
      }
    }
    return newest;
  }

  private Object decoded(TopicPartition partition, byte[] value) {
    try {
      return codec.decode(value);
    } catch (InvalidRecordException e) {
      throw new IllegalStateException("expected a state in " + partition, e);
    }
  }
}
