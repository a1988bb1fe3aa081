package io.turnkeeper.streams;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.turnkeeper.core.partition.PartitionState;
import io.turnkeeper.events.RecordCodec;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;
import org.jspecify.annotations.Nullable;

/**
 * The states of one task, in its store. Those used last are held as they were written, which spares
 * reading them again; a task that begins anew holds nothing.
 */
final class StoredStates<S> implements States<S> {
  /** A table's state has some kilobytes. */
  private static final int MAX_RECENT = 1_024;

  private final KeyValueStore<byte[], byte[]> store;
  private final RecordCodec codec;
  private final Layout<S> layout;
  private final PartitionLayout partition;
  private final Map<String, S> recent = new Recent<>();

  private static final class Recent<S> extends LinkedHashMap<String, S> {
    private static final float LOAD = 0.75f;

    Recent() {
      super(MAX_RECENT, LOAD, true);
    }

    @Override
    protected boolean removeEldestEntry(Map.Entry<String, S> eldest) {
      return size() > MAX_RECENT;
    }
  }

  StoredStates(KeyValueStore<byte[], byte[]> store, RecordCodec codec, Layout<S> layout) {
    this.store = store;
    this.codec = codec;
    this.layout = layout;
    this.partition = new PartitionLayout(store, codec);
  }

  @Override
  public PartitionState partition() {
    return partition.read();
  }

  @Override
  public void putPartition(PartitionState state) {
    partition.write(state);
  }

  @Override
  public @Nullable S get(String key) {
    S known = recent.get(key);
    if (known == null) {
      known = layout.isDivided() ? readParts(key) : readWhole(key);
      if (known != null) {
        recent.put(key, known);
      }
    }
    return known;
  }

  private @Nullable S readWhole(String key) {
    byte[] saved = bytes(key);
    return saved == null ? null : Entries.decoded(codec, saved, layout.type());
  }

  private @Nullable S readParts(String key) {
    Entries<S> entries = new Entries<>(layout, codec);
    try (KeyValueIterator<byte[], byte[]> all = store.range(Entries.first(key), Entries.end(key))) {
      all.forEachRemaining(entry -> entries.add(entry.key, entry.value));
    }
    S state = entries.joined().get(key);
    if (state != null && !entries.areCurrent()) {
      write(key, null, state); // An earlier version kept it whole.
    }
    return state;
  }

  @Override
  public void put(String key, S state) {
    write(key, get(key), state);
    recent.put(key, state);
  }

  /** All is encoded before anything is written, since there may be something that is too large. */
  private void write(String key, @Nullable S before, S after) {
    List<KeyValue<byte[], byte @Nullable []>> changes = new ArrayList<>();
    layout.changes(
        before,
        after,
        (suffix, part) ->
            changes.add(
                KeyValue.pair(
                    (key + suffix).getBytes(UTF_8), part == null ? null : codec.encode(part))));
    changes.forEach(change -> store.put(change.key, change.value));
  }

  /** What is kept under a subject's key. */
  byte @Nullable [] bytes(String key) {
    return store.get(key.getBytes(UTF_8));
  }

  @Override
  public Set<String> keys() {
    Set<String> keys = new TreeSet<>();
    try (KeyValueIterator<byte[], byte[]> all = store.all()) {
      all.forEachRemaining(entry -> keys.add(Entries.subject(entry.key)));
    }
    keys.remove(Nodes.PARTITION_KEY);
    return keys;
  }
}
