package io.turnkeeper.core.table;

import io.turnkeeper.core.Decided;
import io.turnkeeper.core.Now;
import org.jspecify.annotations.Nullable;

/** One rule: looks at a table and makes at most one decision. */
@FunctionalInterface
interface Rule {
  /** The next decision of this rule, or null if it has none. */
  @Nullable Decided<TableDecision> next(TableState state, Context context, Now now);
}
