package io.turnkeeper.streams;

import io.turnkeeper.core.partition.PartitionState;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** States that are only looked at, not kept. */
final class MemoryStates<S> implements States<S> {
  private final SortedMap<String, S> subjects = new TreeMap<>();
  private final Map<String, Optional<S>> before = new HashMap<>();
  private PartitionState partition = PartitionState.START;

  @Override
  public PartitionState partition() {
    return partition;
  }

  @Override
  public void putPartition(PartitionState state) {
    partition = state;
  }

  @Override
  public @Nullable S get(String key) {
    return subjects.get(key);
  }

  @Override
  public void put(String key, S state) {
    before.putIfAbsent(key, Optional.ofNullable(subjects.put(key, state)));
  }

  /** The next entry begins. */
  void forgetBefore() {
    before.clear();
  }

  /** A subject's state before the entry that was taken last; empty if it was not known then. */
  Optional<S> before(String key) {
    Optional<S> changed = before.get(key);
    return changed == null ? Optional.ofNullable(subjects.get(key)) : changed;
  }

  @Override
  public Set<String> keys() {
    return subjects.keySet();
  }
}
