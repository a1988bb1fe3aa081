package io.turnkeeper.core.table;

import io.turnkeeper.core.Event;
import io.turnkeeper.core.Now;
import io.turnkeeper.core.TableId;

/** A fact about one table; one sealed family for each topic it can come from. */
public sealed interface TableEvent extends Event
    permits DemandEvent,
        ClaimEvent,
        CheckpointEvent,
        PublishEvent,
        PolicyEvent,
        PlacementEvent,
        PolicyApplied,
        Probe {
  /** The table it is about, which is also the record's key. */
  TableId table();

  /** Folds this fact into {@code before}. Never fails and reads no clock but {@code now}. */
  TableState applyTo(TableState before, Now now);
}
