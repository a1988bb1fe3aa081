package io.turnkeeper.simulation.scheduler;

import io.turnkeeper.core.Decided;
import io.turnkeeper.core.Event;
import io.turnkeeper.core.Now;
import io.turnkeeper.core.PoolId;
import io.turnkeeper.core.partition.PartitionState;
import io.turnkeeper.core.pool.PoolDecision;
import io.turnkeeper.core.pool.PoolEvent;
import io.turnkeeper.core.pool.PoolRules;
import io.turnkeeper.core.pool.PoolState;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The rules of pools. */
public class PoolSubject implements Subject<PoolId, PoolState, PoolDecision> {
  @Override
  public @Nullable PoolId keyOf(Event event) {
    return event instanceof PoolEvent about ? about.pool() : null;
  }

  @Override
  public PoolState unknown(PoolId key) {
    return PoolState.empty(key);
  }

  @Override
  public PoolState fold(Event event, PoolState before, Now now) {
    return ((PoolEvent) event).applyTo(before, now);
  }

  @Override
  public List<Decided<PoolDecision>> decide(PoolState state, PartitionState partition, Now now) {
    return PoolRules.decide(state, partition.settings(), now);
  }

  @Override
  public PoolState apply(PoolDecision decision, PoolState before, Now now) {
    return decision.applyTo(before, now);
  }

  @Override
  public long nextDueMillis(PoolState state, PartitionState partition, Now now) {
    return PoolRules.nextDueMillis(state, partition.settings(), now);
  }
}
