package io.turnkeeper.simulation.world;

import io.turnkeeper.core.Event;
import io.turnkeeper.core.pool.ExecutorEvent;
import io.turnkeeper.core.pool.InboxEvent;
import io.turnkeeper.core.table.CheckpointEvent;
import io.turnkeeper.core.table.ClaimEvent;
import io.turnkeeper.core.table.DemandEvent;
import io.turnkeeper.core.table.PlacementEvent;
import io.turnkeeper.core.table.PolicyEvent;
import io.turnkeeper.core.table.PublishEvent;
import java.util.List;

/** The topics, each with one partition. */
public enum Topic {
  DEMAND,
  CLAIM,
  CHECKPOINT,
  PUBLISH,
  POLICY,
  PLACEMENT,
  EXECUTOR,
  POOL_INBOX;

  /** What the scheduler of the tables reads. */
  public static final List<Topic> OF_TABLES =
      List.of(DEMAND, CLAIM, CHECKPOINT, PUBLISH, POLICY, PLACEMENT);

  /** What the scheduler of the pool reads. */
  public static final List<Topic> OF_POOL = List.of(EXECUTOR, POOL_INBOX);

  /** Where an event belongs; probes are told where to go. */
  public static Topic of(Event event) {
    if (event instanceof DemandEvent) {
      return DEMAND;
    }
    if (event instanceof ClaimEvent) {
      return CLAIM;
    }
    if (event instanceof CheckpointEvent) {
      return CHECKPOINT;
    }
    if (event instanceof PublishEvent) {
      return PUBLISH;
    }
    if (event instanceof PolicyEvent) {
      return POLICY;
    }
    if (event instanceof PlacementEvent) {
      return PLACEMENT;
    }
    if (event instanceof ExecutorEvent) {
      return EXECUTOR;
    }
    if (event instanceof InboxEvent) {
      return POOL_INBOX;
    }
    throw new IllegalStateException("expected an event of a topic, but it is " + event);
  }
}
