package io.turnkeeper.streams;

import io.turnkeeper.core.partition.PartitionState;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Where the states of one partition are kept.
 *
 * @param <S> the state of one subject
 */
interface States<S> {
  /** The partition's own state. */
  PartitionState partition();

  void putPartition(PartitionState state);

  /** A subject's state, null before anything was said about it. */
  @Nullable S get(String key);

  /**
   * Keeps a subject's state.
   *
   * @throws IllegalArgumentException if it is too large to be kept; nothing has changed then
   */
  void put(String key, S state);

  Set<String> keys();
}
