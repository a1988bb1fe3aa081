package io.turnkeeper.core.table;

import io.turnkeeper.core.Decided;
import org.jspecify.annotations.Nullable;

/** One rule: looks at a table and makes at most one decision. */
@FunctionalInterface
interface Rule {
  /** The next decision of this rule, or null if it has none. */
  @Nullable Decided<TableDecision> next(Situation situation);
}
