package io.turnkeeper.core.pool;

import io.turnkeeper.core.UnitId;
import io.turnkeeper.core.pool.PoolState.Request;
import org.jspecify.annotations.Nullable;

/**
 * How a unit stands among those that wait for a place in its pool.
 *
 * @param ahead how many are served before it; one that fits nowhere now may be passed over
 * @param needsBytes the memory it needs
 */
public record Waiting(long ahead, long needsBytes) {
  /** How the unit stands as things are; null if the pool does not know it to wait. */
  public static @Nullable Waiting of(UnitId unit, PoolState state) {
    Request request = state.requests().get(unit.toString());
    if (request == null) {
      return null;
    }
    long ahead =
        state.requests().values().stream()
            .filter(other -> Queues.ORDER.compare(other, request) < 0)
            .count();
    return new Waiting(ahead, request.expectedBytes());
  }
}
