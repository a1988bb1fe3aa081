package io.turnkeeper.simulation.check;

import io.turnkeeper.core.Kind;
import io.turnkeeper.core.UnitId;
import io.turnkeeper.core.table.Failure;
import io.turnkeeper.core.table.Mode;
import io.turnkeeper.core.table.TableState;
import io.turnkeeper.core.table.Unit;
import org.jspecify.annotations.Nullable;

/** What the checks ask of a table's units, worked out without the rules' own answers. */
public final class Units {
  private Units() {}

  /** The live unit of that id; null if it is not live. */
  public static @Nullable Unit find(TableState state, UnitId id) {
    for (Unit unit : state.units().values()) {
      if (unit.id().equals(id)) {
        return unit;
      }
    }
    return null;
  }

  /** Class 0: its turns are nobody's share. */
  static boolean isRecovery(Unit unit) {
    return unit.kind() == Kind.REPAIR
        || (unit.kind() == Kind.OBSERVE && unit.mode() == Mode.INSIDE);
  }

  /** Whether it could publish at once: after a turn that came to nothing it pauses first. */
  static boolean waitsForTurn(Unit unit, TableState state, long atMillis) {
    Failure failure = state.ledger().get(Failure.key(unit.kind()));
    return unit.placement() != null
        && !unit.released()
        && unit.cancellation() == null
        && (failure == null || failure.nextRetryMillis() <= atMillis)
        && (unit.phase() == Unit.Phase.READY
            || (unit.phase() == Unit.Phase.CLAIMED && unit.mode() == Mode.INSIDE));
  }
}
