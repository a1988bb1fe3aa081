package io.turnkeeper.streams;

import io.turnkeeper.core.partition.PartitionState;
import io.turnkeeper.core.table.TableSnapshot;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What readers were shown last, for a partition whose journal does not reach back to its beginning.
 * The partition's own state is shown only when every table has been, so no table's is older than
 * it; a table's may be newer.
 */
final class Remembered<S> {
  private final SortedMap<String, S> states = new TreeMap<>();
  private final SortedMap<String, Long> sequences = new TreeMap<>();
  private final boolean needed;
  private PartitionState partition = PartitionState.START;

  private Remembered(boolean needed) {
    this.needed = needed;
  }

  static <S> Remembered<S> of(
      Subject<S> subject, RebuildPart part, int partition, RebuildTarget target) {
    SortedMap<String, Object> shown =
        target.oldest() == 1 ? new TreeMap<>() : part.shown().of(partition);
    Remembered<S> remembered = new Remembered<>(target.isCut(!shown.isEmpty()));
    for (Map.Entry<String, Object> entry : shown.entrySet()) {
      if (entry.getValue() instanceof PartitionState state) {
        remembered.partition = state;
      } else if (entry.getValue() instanceof TableSnapshot snapshot) {
        remembered.states.put(entry.getKey(), subject.layout().type().cast(snapshot.state()));
        remembered.sequences.put(entry.getKey(), snapshot.sequence());
      }
    }
    return remembered;
  }

  /** Whether the journal alone does not lead to the state. */
  boolean isNeeded() {
    return needed;
  }

  /** Whether a subject's remembered state is after that entry. */
  boolean isAhead(String key, long sequence) {
    return sequences.getOrDefault(key, 0L) >= sequence;
  }

  /** Begins a store that has less than what is remembered. */
  void putInto(States<S> store, RebuildTarget target) {
    PartitionState kept = store.partition();
    if (!needed) {
      return;
    }
    long first = target.newest() == 0 ? newest() : target.oldest() - 1;
    PartitionState from = kept.sequence() >= partition.sequence() ? kept : partition;
    if (!from.equals(kept) || first > kept.sequence()) {
      store.putPartition(
          new PartitionState(
              Math.max(from.sequence(), first),
              from.atMillis(),
              from.observedMillis(),
              from.settings(),
              from.defaults(),
              from.defaultsVersion(),
              from.gapAtMillis(),
              from.nextOffsets(),
              from.topicIds()));
    }
    states.forEach(
        (key, state) -> {
          if (isAhead(key, kept.sequence() + 1)) {
            store.put(key, state);
          }
        });
  }

  private long newest() {
    return sequences.values().stream().mapToLong(Long::longValue).max().orElse(0);
  }
}
