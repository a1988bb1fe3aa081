package io.turnkeeper.simulation.check;

import io.turnkeeper.core.ExecutorId;
import io.turnkeeper.core.partition.PartitionState;
import io.turnkeeper.core.pool.PoolDecision;
import io.turnkeeper.core.pool.PoolState;
import io.turnkeeper.simulation.world.Violation;
import java.util.Map;

/**
 * The last half of invariant 2: what fits is placed in the same cycle, on an executor that is not
 * kept free for something urgent and bigger.
 */
public final class PlacementCheck implements Check<PoolState, PoolDecision> {
  private static final int URGENT = 1;

  @Override
  public void rested(PoolState state, PartitionState partition) {
    if (state.requests().isEmpty()) {
      return;
    }
    long keepFree =
        state.requests().values().stream()
            .filter(one -> one.rank() <= URGENT && fitting(one, state, partition) == 0)
            .count();
    for (PoolState.Request request : state.requests().values()) {
      Violation.unless(
          fitting(request, state, partition) <= keepFree,
          "2: what fits is placed in the same cycle",
          () -> request + " still waits in " + state);
    }
  }

  /** On how many executors it would fit now. */
  private static long fitting(
      PoolState.Request request, PoolState state, PartitionState partition) {
    long count = 0;
    for (Map.Entry<ExecutorId, PoolState.Executor> entry : state.executors().entrySet()) {
      PoolState.Executor executor = entry.getValue();
      long silent = partition.observedMillis() - executor.heardMillis();
      boolean isUsable =
          !executor.draining()
              && !executor.lost()
              && !executor.probed()
              && silent < partition.settings().executorTimeoutMillis()
              && executor.placedInMinute() < partition.settings().placementsPerMinute();
      boolean fits =
          state.usedSlots(entry.getKey(), request.kind())
                  < executor.slots().getOrDefault(request.kind(), 0)
              && state.reservedBytes(entry.getKey()) + request.expectedBytes()
                  <= executor.bytesTotal();
      count += isUsable && fits ? 1 : 0;
    }
    return count;
  }
}
