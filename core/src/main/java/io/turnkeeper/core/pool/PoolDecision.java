package io.turnkeeper.core.pool;

import io.turnkeeper.core.Attempt;
import io.turnkeeper.core.Decision;
import io.turnkeeper.core.ExecutorId;
import io.turnkeeper.core.Now;
import io.turnkeeper.core.PoolId;
import io.turnkeeper.core.Require;
import io.turnkeeper.core.UnitId;
import java.util.List;

/** What the rules of a pool concluded. */
public sealed interface PoolDecision extends Decision {
  PoolId pool();

  /** Folds this decision into the state it was made from. */
  PoolState applyTo(PoolState before, Now now);

  /** Reserve a slot and memory and tell the table. */
  record PlaceUnit(PoolId pool, Attempt attempt, long reservedBytes) implements PoolDecision {
    public PlaceUnit {
      Require.count("reservedBytes", reservedBytes);
    }

    @Override
    public PoolState applyTo(PoolState before, Now now) {
      return PlacementFold.placed(before, this, now);
    }
  }

  /**
   * Tell the table that its unit fits nowhere, ever; or, once somebody joins who could hold it,
   * that it may ask again.
   */
  record RefusePlacement(PoolId pool, UnitId unit, int attempt, String code)
      implements PoolDecision {
    @Override
    public PoolState applyTo(PoolState before, Now now) {
      return PlacementFold.refusedPlacement(before, this);
    }
  }

  /**
   * Tell the tables that what this incarnation ran is over.
   *
   * @param silent whether it may come back and still run something, and so keeps its places; not if
   *     it left, was started anew or is forgotten
   */
  record DeclareExecutorLost(
      PoolId pool, ExecutorId executor, long incarnation, List<UnitId> units, boolean silent)
      implements PoolDecision {
    public DeclareExecutorLost {
      units = List.copyOf(units);
    }

    @Override
    public PoolState applyTo(PoolState before, Now now) {
      return ExecutorFold.lost(before, this);
    }
  }

  /** Check the silence of an executor before believing it. */
  record ProbeExecutor(PoolId pool, ExecutorId executor, long incarnation) implements PoolDecision {
    @Override
    public PoolState applyTo(PoolState before, Now now) {
      return ExecutorFold.probeSent(before, this);
    }
  }
}
