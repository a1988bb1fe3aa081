package io.turnkeeper.streams;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.turnkeeper.core.partition.PartitionProgress;
import io.turnkeeper.core.partition.PartitionState;
import io.turnkeeper.events.InvalidRecordException;
import io.turnkeeper.events.RecordCodec;
import org.apache.kafka.streams.state.KeyValueStore;
import org.jspecify.annotations.Nullable;

/**
 * How a partition's own state lies in its store: its progress under {@link Nodes#PARTITION_KEY},
 * and the state as it was when more than that changed last under {@link #REST_KEY}. Every entry
 * changes the progress, and none but a start, a default policy or a gap the rest.
 */
final class PartitionLayout {
  /** Renaming it makes every store unreadable; no table or pool can have it. */
  static final String REST_KEY = Nodes.PARTITION_KEY + Layout.DIVIDER + "rest";

  private final KeyValueStore<byte[], byte[]> store;
  private final RecordCodec codec;

  /** What the rest was written from, null if it has to be written. */
  private @Nullable PartitionState written;

  PartitionLayout(KeyValueStore<byte[], byte[]> store, RecordCodec codec) {
    this.store = store;
    this.codec = codec;
  }

  PartitionState read() {
    byte[] own = store.get(Nodes.PARTITION_KEY.getBytes(UTF_8));
    if (own == null) {
      return PartitionState.START;
    }
    byte[] rest = store.get(REST_KEY.getBytes(UTF_8));
    PartitionState state = joined(codec, own, rest);
    written = rest == null ? null : state;
    return state;
  }

  void write(PartitionState state) {
    byte[] progress = codec.encode(state.progress());
    if (written == null || !written.differsInProgressOnly(state)) {
      store.put(REST_KEY.getBytes(UTF_8), codec.encode(state));
      written = state;
    }
    store.put(Nodes.PARTITION_KEY.getBytes(UTF_8), progress);
  }

  /**
   * The state that was kept as these two.
   *
   * @param own what lies under {@link Nodes#PARTITION_KEY}: the progress, or the whole state if an
   *     earlier version kept it
   * @param rest what lies under {@link #REST_KEY}
   */
  static PartitionState joined(RecordCodec codec, byte[] own, byte @Nullable [] rest) {
    Object kept;
    try {
      kept = codec.decode(own);
    } catch (InvalidRecordException e) {
      throw new IllegalStateException("expected a partition's state in a store", e);
    }
    if (kept instanceof PartitionState whole) {
      return whole;
    }
    if (!(kept instanceof PartitionProgress progress) || rest == null) {
      throw new IllegalStateException(
          "expected a partition's state in a store, but there is " + kept + " without its rest");
    }
    return Entries.decoded(codec, rest, PartitionState.class).at(progress);
  }
}
