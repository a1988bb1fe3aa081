package io.turnkeeper.core.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.turnkeeper.core.TableId;
import io.turnkeeper.core.UnitId;
import io.turnkeeper.core.pool.PoolState;
import io.turnkeeper.core.table.Assignment.GrantTurn;
import io.turnkeeper.core.table.TableDecision;
import io.turnkeeper.core.table.TableState;
import java.util.HashMap;
import java.util.Map;

/** What must hold after every step. */
final class Invariants {
  private final Map<TableId, Map<Long, UnitId>> granted = new HashMap<>();
  private final Map<TableId, Long> highest = new HashMap<>();

  /** Turn numbers rise; one turn is open at a time. */
  void check(TableDecision decision, TableState after) {
    if (decision instanceof GrantTurn grant) {
      long before = highest.getOrDefault(grant.table(), 0L);
      assertThat(grant.turn()).as("turn numbers rise").isGreaterThan(before);
      highest.put(grant.table(), grant.turn());
      granted
          .computeIfAbsent(grant.table(), table -> new HashMap<>())
          .put(grant.turn(), grant.attempt().unit());
      assertThat(after.turns().open()).as("the granted turn is the open one").isNotNull();
    }
  }

  void check(TableState state) {
    state
        .units()
        .forEach(
            (kind, unit) -> assertThat(unit.kind()).as("one live unit a kind").isEqualTo(kind));
  }

  /** Reserved bytes never exceed what an executor has. */
  void check(PoolState pool) {
    pool.executors()
        .forEach(
            (id, executor) ->
                assertThat(pool.reservedBytes(id))
                    .as("bytes reserved on " + id)
                    .isLessThanOrEqualTo(executor.bytesTotal()));
  }

  /** Committed versions rise by one and each names a turn that was granted to its unit. */
  void check(SimTable table) {
    long expected = 2;
    long turn = 0;
    for (SimAuthority.Version version : table.authority().versions()) {
      assertThat(version.version()).isEqualTo(expected++);
      assertThat(version.turn()).as("turns of versions rise").isGreaterThan(turn);
      turn = version.turn();
      assertThat(granted.getOrDefault(table.id(), Map.of()))
          .as("version " + version.version() + " names a granted turn")
          .containsEntry(turn, version.unit());
    }
  }
}
