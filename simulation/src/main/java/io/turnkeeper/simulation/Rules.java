package io.turnkeeper.simulation;

import io.turnkeeper.authority.InMemoryAuthority;
import io.turnkeeper.core.PoolId;
import io.turnkeeper.core.TableId;
import io.turnkeeper.core.pool.PoolDecision;
import io.turnkeeper.core.pool.PoolState;
import io.turnkeeper.core.table.TableDecision;
import io.turnkeeper.core.table.TableState;
import io.turnkeeper.simulation.scheduler.PoolSubject;
import io.turnkeeper.simulation.scheduler.Subject;
import io.turnkeeper.simulation.scheduler.TableSubject;
import java.util.function.Supplier;

/** What a life tries to break; a test puts broken ones here, to see that they are found out. */
record Rules(
    Subject<TableId, TableState, TableDecision> tables,
    Subject<PoolId, PoolState, PoolDecision> pool,
    Supplier<InMemoryAuthority> authority) {
  /** The rules as they are. */
  static final Rules REAL =
      new Rules(new TableSubject(), new PoolSubject(), InMemoryAuthority::new);

  Rules with(Subject<TableId, TableState, TableDecision> otherTables) {
    return new Rules(otherTables, pool, authority);
  }

  Rules withPool(Subject<PoolId, PoolState, PoolDecision> otherPool) {
    return new Rules(tables, otherPool, authority);
  }

  Rules with(Supplier<InMemoryAuthority> otherAuthority) {
    return new Rules(tables, pool, otherAuthority);
  }
}
