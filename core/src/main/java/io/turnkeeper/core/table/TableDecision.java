package io.turnkeeper.core.table;

import io.turnkeeper.core.Decision;
import io.turnkeeper.core.Now;
import io.turnkeeper.core.TableId;

/** What the rules of a table concluded. */
public sealed interface TableDecision extends Decision permits Assignment, UnitDecision {
  TableId table();

  /** Folds this decision into the state it was made from. */
  TableState applyTo(TableState before, Now now);
}
