package io.turnkeeper.core.pool;

import io.turnkeeper.core.Now;
import io.turnkeeper.core.PoolId;

/** Everything the rules know of one pool. */
public record PoolState(PoolId pool) {
  PoolState gone(Object e) {
    return this;
  }

  PoolState requested(Object e) {
    return this;
  }

  PoolState withdrawn(Object e) {
    return this;
  }

  PoolState reservationEnded(Object e) {
    return this;
  }

  PoolState placed(Object e) {
    return this;
  }

  PoolState refusedPlacement(Object e) {
    return this;
  }

  PoolState lost(Object e) {
    return this;
  }

  PoolState heard(Object e, Now now) {
    return this;
  }

  PoolState probed(Object e, Now now) {
    return this;
  }

  PoolState probeSent(Object e, Now now) {
    return this;
  }
}
