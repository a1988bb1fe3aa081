package io.turnkeeper.simulation;

import io.turnkeeper.core.Kind;
import io.turnkeeper.core.table.Failure;
import io.turnkeeper.core.table.TableState;
import io.turnkeeper.core.table.Unit;
import java.util.SortedMap;
import java.util.TreeMap;

/** A table's state being changed as no rule would change it. */
final class Edit {
  private final TableState from;
  private final SortedMap<Kind, Unit> units;
  private final SortedMap<String, Failure> ledger;

  Edit(TableState from) {
    this.from = from;
    units = new TreeMap<>(from.units());
    ledger = new TreeMap<>(from.ledger());
  }

  Edit with(Unit unit) {
    units.put(unit.kind(), unit);
    return this;
  }

  Edit withoutFailure(Kind kind) {
    ledger.remove(Failure.key(kind));
    return this;
  }

  TableState done() {
    return new TableState(
        from.table(),
        from.incarnation(),
        from.registration(),
        from.policy(),
        from.defaultsVersion(),
        from.shards(),
        from.observation(),
        from.head(),
        from.turns(),
        units,
        from.lastUnit(),
        from.lastProbe(),
        ledger,
        from.done(),
        from.held(),
        from.released(),
        from.abandoned(),
        from.paused(),
        from.triggered(),
        from.cancels());
  }

  /** The unit as if it had been ready since then. */
  static Unit readyAt(Unit unit, long millis) {
    return new Unit(
        unit.id(),
        unit.kind(),
        unit.mode(),
        unit.spec(),
        unit.phase(),
        unit.attempt(),
        unit.placement(),
        unit.sources(),
        unit.artifact(),
        unit.asked(),
        unit.requestedAtMillis(),
        millis,
        unit.heardMillis(),
        unit.progress(),
        unit.ignoredGrants(),
        unit.released(),
        unit.silence(),
        unit.cancellation());
  }
}
