package io.turnkeeper.simulation.scheduler;

import io.turnkeeper.core.Decision;
import io.turnkeeper.core.partition.PartitionState;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A task's store, and what was done since the last commit. A crash undoes that; a commit makes
 * journal, decisions, states and read positions real together.
 */
final class Transaction<K extends Comparable<? super K>, S, D extends Decision> {
  private final SortedMap<K, S> states = new TreeMap<>();
  private final Map<K, Optional<S>> undo = new HashMap<>();
  private final List<Step<K, D>> pending = new ArrayList<>();
  private PartitionState partition = PartitionState.START;
  private PartitionState committedPartition = PartitionState.START;

  SortedMap<K, S> states() {
    return states;
  }

  PartitionState partition() {
    return partition;
  }

  void put(K key, S state) {
    undo.putIfAbsent(key, Optional.ofNullable(states.put(key, state)));
  }

  void add(Step<K, D> step, PartitionState after) {
    pending.add(step);
    partition = after;
  }

  boolean isEmpty() {
    return pending.isEmpty();
  }

  /** Makes everything since the last commit real, and answers it. */
  List<Step<K, D>> commit() {
    List<Step<K, D>> committed = List.copyOf(pending);
    pending.clear();
    undo.clear();
    committedPartition = partition;
    return committed;
  }

  /** As if nothing since the last commit had been. */
  void rollBack() {
    undo.forEach(
        (key, before) ->
            before.ifPresentOrElse(state -> states.put(key, state), () -> states.remove(key)));
    undo.clear();
    pending.clear();
    partition = committedPartition;
  }
}
