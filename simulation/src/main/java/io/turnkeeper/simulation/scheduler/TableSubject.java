package io.turnkeeper.simulation.scheduler;

import io.turnkeeper.core.Decided;
import io.turnkeeper.core.Event;
import io.turnkeeper.core.Now;
import io.turnkeeper.core.TableId;
import io.turnkeeper.core.partition.PartitionState;
import io.turnkeeper.core.table.Context;
import io.turnkeeper.core.table.TableDecision;
import io.turnkeeper.core.table.TableEvent;
import io.turnkeeper.core.table.TableRules;
import io.turnkeeper.core.table.TableState;
import io.turnkeeper.core.table.Timers;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The rules of tables. */
public class TableSubject implements Subject<TableId, TableState, TableDecision> {
  @Override
  public @Nullable TableId keyOf(Event event) {
    return event instanceof TableEvent about && !about.table().equals(TableId.DEFAULT)
        ? about.table()
        : null;
  }

  @Override
  public TableState unknown(TableId key) {
    return TableState.unknown(key);
  }

  @Override
  public TableState fold(Event event, TableState before, Now now) {
    return ((TableEvent) event).applyTo(before, now);
  }

  @Override
  public List<Decided<TableDecision>> decide(TableState state, PartitionState partition, Now now) {
    return TableRules.decide(state, context(partition), now);
  }

  @Override
  public TableState apply(TableDecision decision, TableState before, Now now) {
    return decision.applyTo(before, now);
  }

  @Override
  public long nextDueMillis(TableState state, PartitionState partition, Now now) {
    return Timers.nextDueMillis(state, context(partition), now);
  }

  /** What the rules read besides the table. */
  public static Context context(PartitionState partition) {
    return Context.of(partition);
  }
}
