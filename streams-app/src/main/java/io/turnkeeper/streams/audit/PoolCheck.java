package io.turnkeeper.streams.audit;

import io.turnkeeper.core.Attempt;
import io.turnkeeper.core.Now;
import io.turnkeeper.core.PoolId;
import io.turnkeeper.core.partition.Settings;
import io.turnkeeper.core.pool.PoolDecision;
import io.turnkeeper.core.pool.PoolDecision.PlaceUnit;
import io.turnkeeper.core.pool.PoolEvent;
import io.turnkeeper.core.pool.PoolState;
import io.turnkeeper.core.pool.PoolState.Executor;

/** One pool's places: on executors that are known and heard, within what they have. */
final class PoolCheck {
  private final String name;
  private final Problems problems;
  private PoolState state;

  PoolCheck(String pool, Problems problems) {
    this.name = "pool " + pool;
    this.problems = problems;
    this.state = PoolState.empty(new PoolId(pool));
  }

  void take(PoolEvent event, Now now) {
    state = event.applyTo(state, now);
  }

  void take(PoolDecision decision, Settings settings, Now now, String where) {
    if (decision instanceof PlaceUnit place) {
      Attempt attempt = place.attempt();
      Executor executor = state.executors().get(attempt.executor());
      if (executor == null || executor.incarnation() != attempt.incarnation()) {
        problems.add(where, name + ": " + place + " on an executor that is not there");
        return;
      }
      long silent = now.observedMillis() - executor.heardMillis();
      if (executor.lost() || silent >= settings.executorTimeoutMillis()) {
        problems.add(where, name + ": " + place + " on one silent for " + silent + " ms");
      }
      state = decision.applyTo(state, now);
      long reserved = state.reservedBytes(attempt.executor());
      if (reserved > executor.bytesTotal()) {
        problems.add(
            where,
            name
                + ": "
                + reserved
                + " bytes are reserved on "
                + attempt.executor()
                + ", which has "
                + executor.bytesTotal());
      }
      return;
    }
    state = decision.applyTo(state, now);
  }
}
