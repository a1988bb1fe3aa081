package io.turnkeeper.streams;

import io.turnkeeper.events.Topics;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.common.serialization.Serializer;
import org.apache.kafka.streams.processor.StreamPartitioner;
import org.jspecify.annotations.Nullable;

/**
 * A record key that may name its partition.
 *
 * @param key the key's bytes; null keeps a null key
 * @param partition the partition, or {@link #BY_KEY}
 */
@SuppressWarnings("ArrayRecordComponent") // Handed to Kafka as it is; never compared.
record Address(byte @Nullable [] key, int partition) {
  /** The partition follows from the key, as the Java client hashes it. */
  static final int BY_KEY = -1;

  /** Writes the key's bytes. */
  static final class KeySerializer implements Serializer<Address> {
    @Override
    public byte @Nullable [] serialize(String topic, Address address) {
      return address.key();
    }
  }

  /** Sends a record where its address says. */
  static final class Partitioner implements StreamPartitioner<Address, byte[]> {
    @Override
    @SuppressWarnings("removal") // The successor is a default method that calls this abstract one.
    public Optional<Set<Integer>> partitions(
        String topic, Address address, byte[] value, int partitions) {
      byte[] key = address.key();
      if (address.partition() != BY_KEY) {
        return Optional.of(Set.of(address.partition()));
      }
      return key == null
          ? Optional.empty()
          : Optional.of(Set.of(Topics.partitionOf(key, partitions)));
    }
  }
}
