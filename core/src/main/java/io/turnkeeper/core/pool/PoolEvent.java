package io.turnkeeper.core.pool;

import io.turnkeeper.core.Event;
import io.turnkeeper.core.Now;
import io.turnkeeper.core.PoolId;

/** A fact about one pool. */
public sealed interface PoolEvent extends Event permits ExecutorEvent, InboxEvent {
  /** The pool it is about, which is also the record's key. */
  PoolId pool();

  /** Folds this fact into {@code before}. Never fails and reads no clock but {@code now}. */
  PoolState applyTo(PoolState before, Now now);
}
