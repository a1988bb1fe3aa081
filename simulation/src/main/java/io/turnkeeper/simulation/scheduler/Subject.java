package io.turnkeeper.simulation.scheduler;

import io.turnkeeper.core.Decided;
import io.turnkeeper.core.Decision;
import io.turnkeeper.core.Event;
import io.turnkeeper.core.Now;
import io.turnkeeper.core.partition.PartitionState;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Hands a task over to the rules of what it is about, a table or a pool. A test can put a broken
 * one in its place, to see that it is found out.
 *
 * @param <K> names one subject
 * @param <S> its state
 * @param <D> what is decided about it
 */
public interface Subject<K, S, D extends Decision> {
  /** The subject an event is about; null if it is about the partition. */
  @Nullable K keyOf(Event event);

  S unknown(K key);

  S fold(Event event, S before, Now now);

  List<Decided<D>> decide(S state, PartitionState partition, Now now);

  S apply(D decision, S before, Now now);

  long nextDueMillis(S state, PartitionState partition, Now now);
}
