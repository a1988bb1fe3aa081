package io.turnkeeper.core.table;

import io.turnkeeper.core.Attempt;
import io.turnkeeper.core.ExecutorId;
import io.turnkeeper.core.Now;
import io.turnkeeper.core.PoolId;
import io.turnkeeper.core.Require;
import io.turnkeeper.core.TableId;
import io.turnkeeper.core.UnitId;
import java.util.List;

/** What the pool answered. */
public sealed interface PlacementEvent extends TableEvent {

  /** The pool reserved a slot and memory for the attempt. */
  record UnitPlaced(PoolId pool, Attempt attempt, long reservedBytes) implements PlacementEvent {
    public UnitPlaced {
      Require.count("reservedBytes", reservedBytes);
    }

    @Override
    public TableId table() {
      return attempt.table();
    }

    @Override
    public TableState applyTo(TableState before, Now now) {
      return UnitFold.placed(before, this, now);
    }
  }

  /**
   * No executor of the pool can ever run the unit as asked; or one has joined that can.
   *
   * @param code a failure code, or {@link #ASK_AGAIN}
   */
  record PlacementRefused(PoolId pool, UnitId unit, int attempt, String code)
      implements PlacementEvent {
    /** Takes an earlier refusal back: what the unit was for may be asked for again at once. */
    public static final String ASK_AGAIN = "ASK_AGAIN";

    public PlacementRefused {
      Require.positive("attempt", attempt);
      Require.text("code", code);
    }

    @Override
    public TableId table() {
      return unit.table();
    }

    @Override
    public TableState applyTo(TableState before, Now now) {
      return UnitFold.placementRefused(before, this, now);
    }
  }

  /**
   * An executor is silent, gone, was started anew or is forgotten; what it ran for this table is
   * over.
   *
   * @param silent whether it may come back and still run something, and so keeps its places
   */
  record ExecutorLost(
      TableId table, ExecutorId executor, long incarnation, List<UnitId> units, boolean silent)
      implements PlacementEvent {
    public ExecutorLost {
      Require.count("incarnation", incarnation);
      units = List.copyOf(units);
    }

    @Override
    public TableState applyTo(TableState before, Now now) {
      return UnitFold.executorLost(before, this, now);
    }
  }
}
