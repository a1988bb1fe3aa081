package io.turnkeeper.simulation.check;

import io.turnkeeper.core.Decided;
import io.turnkeeper.core.Decision;
import io.turnkeeper.core.Event;
import io.turnkeeper.core.Now;
import io.turnkeeper.core.partition.PartitionState;

/**
 * Looks at everything that became real, one change after the other, and throws a violation when
 * something does not hold.
 *
 * @param <S> the state of one subject
 * @param <D> what is decided about it
 */
public interface Check<S, D extends Decision> {
  /** An event was folded. */
  default void folded(Event event, S before, S after, Now now) {}

  /** A decision was folded. */
  default void decided(Decided<D> decided, S before, S after, PartitionState partition) {}

  /** The rules are quiet again. */
  default void rested(S state, PartitionState partition) {}
}
