package io.turnkeeper.core.table;

import io.turnkeeper.core.Now;
import io.turnkeeper.core.Require;
import io.turnkeeper.core.TableId;

/**
 * The table was looked at under a changed default policy. The task writes it, for some tables at a
 * time, so that no entry's work grows with their number; it stands only in journals.
 *
 * @param version the version of the default policy, rising with each change
 */
public record PolicyApplied(TableId table, long version) implements TableEvent {
  public PolicyApplied {
    Require.positive("version", version);
  }

  @Override
  public TableState applyTo(TableState before, Now now) {
    return OperatorFold.defaultsChanged(before, version);
  }
}
