package io.turnkeeper.core.table;

import io.turnkeeper.core.Decided;
import org.jspecify.annotations.Nullable;

/** What is given back to the pool. */
final class ReservationRules {
  private ReservationRules() {}

  static @Nullable Decided<TableDecision> giveBack(Situation situation) {
    TableState state = situation.state();
    if (state.released().isEmpty()) {
      return null;
    }
    TableState.Released first = state.released().get(0);
    return new Decided<>(
        new UnitDecision.EndReservation(
            first.unit(), first.attempt(), first.pool(), first.executor(), first.incarnation()),
        "the attempt holds nothing any more");
  }
}
