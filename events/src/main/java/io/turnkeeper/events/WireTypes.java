package io.turnkeeper.events;

import io.turnkeeper.core.Decision;
import io.turnkeeper.core.Event;
import io.turnkeeper.core.partition.DecisionRecord;
import io.turnkeeper.core.partition.JournalEntry;
import io.turnkeeper.core.partition.PartitionEvent;
import io.turnkeeper.core.partition.PartitionProgress;
import io.turnkeeper.core.partition.PartitionState;
import io.turnkeeper.core.pool.PoolDecision;
import io.turnkeeper.core.pool.PoolEvent;
import io.turnkeeper.core.pool.PoolState;
import io.turnkeeper.core.table.Assignment;
import io.turnkeeper.core.table.TableDecision;
import io.turnkeeper.core.table.TableEvent;
import io.turnkeeper.core.table.TableSnapshot;
import io.turnkeeper.core.table.TableState;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** What travels on its own: each of these records has a fingerprint and released schemas. */
final class WireTypes {
  /** Interfaces of the core that cannot be sealed, since their records live in three packages. */
  static final SealedFamilies FAMILIES =
      new SealedFamilies(
          Map.of(
              Event.class, List.of(TableEvent.class, PoolEvent.class, PartitionEvent.class),
              Decision.class, List.of(TableDecision.class, PoolDecision.class)));

  /** Written by anybody; kept small. */
  private static final List<Class<?>> FROM_OUTSIDE = List.of(TableEvent.class, PoolEvent.class);

  /** Written by the application only; may hold a whole state. */
  private static final List<Class<?>> FROM_INSIDE =
      List.of(
          PartitionEvent.class,
          Assignment.class,
          JournalEntry.class,
          DecisionRecord.class,
          TableState.class,
          TableSnapshot.class,
          PoolState.class,
          PoolState.Executor.class,
          PoolState.Request.class,
          PoolState.Reservation.class,
          PartitionState.class,
          PartitionProgress.class);

  private WireTypes() {}

  /** Every record that travels on its own. */
  static List<Class<?>> all() {
    List<Class<?>> all = new ArrayList<>();
    FROM_OUTSIDE.forEach(root -> all.addAll(FAMILIES.recordsOf(root)));
    FROM_INSIDE.forEach(root -> all.addAll(FAMILIES.recordsOf(root)));
    return all;
  }

  static int maxBytes(Class<?> type) {
    return FROM_OUTSIDE.stream().anyMatch(root -> root.isAssignableFrom(type))
        ? AvroLimits.MAX_EVENT_BYTES
        : AvroLimits.MAX_RECORD_BYTES;
  }
}
