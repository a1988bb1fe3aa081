package io.turnkeeper.streams;

import io.turnkeeper.core.partition.PartitionState;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** States that are only looked at, not kept. */
final class MemoryStates<S> implements States<S> {
  private final SortedMap<String, S> subjects = new TreeMap<>();
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
    subjects.put(key, state);
  }

  @Override
  public Set<String> keys() {
    return subjects.keySet();
  }
}
