package io.turnkeeper.streams;

import io.turnkeeper.core.Decided;
import io.turnkeeper.core.Decision;
import io.turnkeeper.core.Event;
import io.turnkeeper.core.Now;
import io.turnkeeper.core.partition.PartitionState;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a processor folds and decides about: a table or a pool. It only hands things over to the
 * core; there is no rule in it.
 *
 * @param <S> the state of one subject
 */
interface Subject<S> {
  /** How the state lies in the store. */
  Layout<S> layout();

  /** Whether events of this sort are about such a subject. */
  boolean concerns(Event event);

  /** The subject an event is about, which is its record key; null if it is about all of them. */
  @Nullable String keyOf(Event event);

  /** The subject a decision is about. */
  String keyOf(Decision decision);

  /** The key a record with this event must have. */
  String recordKeyOf(Event event);

  S unknown(String key);

  S fold(Event event, S before, Now now);

  List<? extends Decided<? extends Decision>> decide(S state, PartitionState partition, Now now);

  S apply(Decision decision, S before, Now now);

  /** What must be recorded about the subject before it is looked at again; null if nothing. */
  @Nullable Event overdue(S state, PartitionState partition);

  /** When to look again although nothing happened, {@link Long#MAX_VALUE} for never. */
  long nextDueMillis(S state, PartitionState partition, Now now);

  /** What other parts must hear of a decision. */
  List<Outgoing> outgoing(Decision decision);

  /** The record for readers, or null if there is none. */
  @Nullable Object snapshot(S state, byte[] encoded, PartitionState partition);

  /** Whether readers are to see the change at once. */
  boolean isNews(S before, S after);
}
