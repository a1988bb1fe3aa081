package io.turnkeeper.streams.audit;

import io.turnkeeper.core.Kind;
import io.turnkeeper.core.Now;
import io.turnkeeper.core.TableId;
import io.turnkeeper.core.UnitId;
import io.turnkeeper.core.table.Assignment.GrantTurn;
import io.turnkeeper.core.table.PublishEvent.HeadObserved;
import io.turnkeeper.core.table.PublishEvent.UnitPublished;
import io.turnkeeper.core.table.TableDecision;
import io.turnkeeper.core.table.TableEvent;
import io.turnkeeper.core.table.TableState;
import io.turnkeeper.core.table.Turns;
import io.turnkeeper.core.table.Unit;
import io.turnkeeper.core.table.UnitDecision.OpenUnit;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * One table's turns, units and versions: turns rise and one is open at a time, a kind has one live
 * unit, a unit begins and ends once, versions rise by one and name a turn that was granted.
 */
final class TableCheck {
  private final String name;
  private final Problems problems;
  private final Set<Long> live = new HashSet<>();
  private final Map<Long, Long> granted = new HashMap<>();
  private TableState state;
  private Versions versions;
  private long lastUnit;
  private long lastTurn;
  private long ended;

  TableCheck(TableId table, Problems problems) {
    this.name = "table " + table;
    this.problems = problems;
    this.state = TableState.unknown(table);
    this.versions = new Versions(name, problems);
  }

  long opened() {
    return ended + live.size();
  }

  long ended() {
    return ended;
  }

  long turns() {
    return granted.size();
  }

  long versions() {
    return versions.count();
  }

  void take(TableEvent event, Now now, String where) {
    TableState before = state;
    state = event.applyTo(before, now);
    if (state.incarnation() != before.incarnation()) {
      versions.end();
      versions = new Versions(name, problems);
    }
    if (event instanceof UnitPublished published) {
      checkGranted(published.turn(), published.attempt().unit().sequence(), where);
      versions.published(published.versions(), published.turn(), where);
    } else if (event instanceof HeadObserved head
        && head.tableIncarnation() == state.incarnation()) {
      checkGranted(head.turn(), head.unit(), where);
      versions.observed(head.version(), head.turn(), where);
    }
    countEnds(where);
  }

  void take(TableDecision decision, Now now, String where) {
    if (decision instanceof GrantTurn grant) {
      checkGrant(grant, where);
    } else if (decision instanceof OpenUnit open) {
      checkOpen(open.unit(), open.kind(), where);
    }
    state = decision.applyTo(state, now);
    countEnds(where);
  }

  private void checkGrant(GrantTurn grant, String where) {
    Turns turns = state.turns();
    if (turns.open() != null) {
      problems.add(where, name + ": " + grant + " while another turn is open: " + turns.open());
    }
    if (grant.turn() <= lastTurn || grant.turn() <= turns.highest()) {
      problems.add(
          where, name + ": " + grant + " after turn " + Math.max(lastTurn, turns.highest()));
    }
    UnitId unit = grant.attempt().unit();
    if (!live.contains(unit.sequence())) {
      problems.add(where, name + ": " + grant + " for a unit that is not live");
    }
    lastTurn = Math.max(lastTurn, grant.turn());
    granted.put(grant.turn(), unit.sequence());
  }

  private void checkOpen(UnitId unit, Kind kind, String where) {
    if (unit.sequence() <= lastUnit) {
      problems.add(where, name + ": unit " + unit.sequence() + " opened after unit " + lastUnit);
    }
    Unit other = state.unit(kind);
    if (other != null) {
      problems.add(
          where, name + ": " + unit + " opened while " + other.id() + " is a live " + kind);
    }
    lastUnit = Math.max(lastUnit, unit.sequence());
  }

  /** A turn of work that was there before its table was, 0, is nobody's. */
  private void checkGranted(long turn, long unit, String where) {
    Long of = granted.get(turn);
    if (turn != 0 && (of == null || of != unit)) {
      problems.add(
          where,
          name
              + ": a version names turn "
              + turn
              + " of unit "
              + unit
              + ", which was granted to "
              + (of == null ? "nobody" : "unit " + of));
    }
  }

  private void countEnds(String where) {
    Set<Long> now = new HashSet<>();
    state.units().values().forEach(unit -> now.add(unit.id().sequence()));
    for (long unit : now) {
      if (live.add(unit) && unit != lastUnit) {
        problems.add(where, name + ": unit " + unit + " lives again after it had ended");
      }
    }
    int before = live.size();
    live.retainAll(now);
    ended += before - live.size();
  }

  void end() {
    versions.end();
  }
}
