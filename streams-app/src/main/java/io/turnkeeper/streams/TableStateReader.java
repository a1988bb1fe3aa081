package io.turnkeeper.streams;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.turnkeeper.events.CommittedReader;
import io.turnkeeper.events.InvalidRecordException;
import io.turnkeeper.events.RecordCodec;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.kafka.common.TopicPartition;

/** Reads the newest record of each key of a compacted topic: what readers see, or a store. */
final class TableStateReader {
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
    SortedMap<String, byte[]> newest = new TreeMap<>();
    try (CommittedReader reader = new CommittedReader(clientSettings)) {
      reader.read(
          partition,
          record -> {
            String key = new String(record.key(), UTF_8);
            if (record.value() == null) {
              newest.remove(key);
            } else {
              newest.put(key, record.value());
            }
          });
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
