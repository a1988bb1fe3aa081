package io.turnkeeper.core.partition;

import io.turnkeeper.core.FrozenMap;
import io.turnkeeper.core.Require;
import java.util.SortedMap;

/**
 * The part of a partition's state that every journal entry changes, so that it can be kept without
 * the rest. Its components are those of {@link PartitionState}.
 */
public record PartitionProgress(
    long sequence, long atMillis, long observedMillis, SortedMap<String, Long> nextOffsets) {
  public PartitionProgress {
    Require.count("sequence", sequence);
    Require.time("atMillis", atMillis);
    Require.count("observedMillis", observedMillis);
    nextOffsets = FrozenMap.copyOf(nextOffsets);
  }
}
