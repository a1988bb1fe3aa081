package io.turnkeeper.streams;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.turnkeeper.core.partition.PartitionState;
import io.turnkeeper.events.InvalidRecordException;
import io.turnkeeper.events.RecordCodec;
import java.util.Set;
import java.util.TreeSet;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;
import org.jspecify.annotations.Nullable;

/** The states of one task, in its store. */
final class StoredStates<S> implements States<S> {
  private final KeyValueStore<byte[], byte[]> store;
  private final RecordCodec codec;
  private final Class<S> type;

  StoredStates(KeyValueStore<byte[], byte[]> store, RecordCodec codec, Class<S> type) {
    this.store = store;
    this.codec = codec;
    this.type = type;
  }

  @Override
  public PartitionState partition() {
    byte[] saved = bytes(Nodes.PARTITION_KEY);
    return saved == null ? PartitionState.START : read(saved, PartitionState.class);
  }

  @Override
  public void putPartition(PartitionState state) {
    store.put(Nodes.PARTITION_KEY.getBytes(UTF_8), codec.encode(state));
  }

  @Override
  public @Nullable S get(String key) {
    byte[] saved = bytes(key);
    return saved == null ? null : read(saved, type);
  }

  @Override
  public void put(String key, S state) {
    store.put(key.getBytes(UTF_8), codec.encode(state));
  }

  /** A state as it is kept. */
  byte @Nullable [] bytes(String key) {
    return store.get(key.getBytes(UTF_8));
  }

  @Override
  public Set<String> keys() {
    Set<String> keys = new TreeSet<>();
    try (KeyValueIterator<byte[], byte[]> all = store.all()) {
      while (all.hasNext()) {
        KeyValue<byte[], byte[]> next = all.next();
        keys.add(new String(next.key, UTF_8));
      }
    }
    keys.remove(Nodes.PARTITION_KEY);
    return keys;
  }

  private <T> T read(byte[] saved, Class<T> as) {
    try {
      return codec.decode(saved, as);
    } catch (InvalidRecordException e) {
      throw new IllegalStateException(
          "expected a " + as.getSimpleName() + " in store " + store.name(), e);
    }
  }
}
