package io.turnkeeper.simulation.check;

import io.turnkeeper.core.ExecutorId;
import io.turnkeeper.core.partition.PartitionState;
import io.turnkeeper.core.pool.PoolDecision;
import io.turnkeeper.core.pool.PoolState;
import io.turnkeeper.simulation.world.Violation;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/**
 * The last half of invariant 2: what fits is placed in the same cycle, on an executor that is not
 * kept free for something urgent and bigger; and nobody is refused who could be held.
 */
public final class PlacementCheck implements Check<PoolState, PoolDecision> {
  private static final int URGENT = 1;

  @Override
  public void rested(PoolState state, PartitionState partition) {
    for (PoolState.Request request : state.refused().values()) {
      Violation.unless(
          state.executors().values().stream().noneMatch(one -> couldHold(one, request)),
          "what was too big for everybody may ask again when somebody joins",
          () -> request + " was not told in " + state);
    }
    if (state.requests().isEmpty()) {
      return;
    }
    long keptFree = 0;
    for (PoolState.Request request : inOrder(state)) {
      long most = keptFree;
      Violation.unless(
          fitting(request, state, partition) <= most,
          "2: what fits is placed in the same cycle",
          () -> request + " still waits, with " + most + " kept free, in " + state);
      // It fits at most where another is waited for, so one more is kept free for it.
      keptFree += request.rank() <= URGENT ? 1 : 0;
    }
  }

  private static boolean couldHold(PoolState.Executor executor, PoolState.Request request) {
    return !executor.lost()
        && executor.slots().getOrDefault(request.kind(), 0) > 0
        && executor.bytesTotal() >= request.expectedBytes();
  }

  /** The urgent ones first, by class and then the oldest; the order of the others is no matter. */
  private static List<PoolState.Request> inOrder(PoolState state) {
    return state.requests().values().stream()
        .sorted(
            Comparator.comparingInt(PoolState.Request::rank)
                .thenComparingLong(PoolState.Request::waitSinceMillis)
                .thenComparing(PoolState.Request::unit))
        .toList();
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
