package io.turnkeeper.core.table;

import io.turnkeeper.core.Kind;
import io.turnkeeper.core.Now;
import io.turnkeeper.core.UnitId;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Answers "why not now" with the very functions that decide. */
public final class Explanation {
  private Explanation() {}

  /**
   * Why {@code kind} is not running on the table now.
   *
   * @param state a state that has come to rest, as every recorded state has
   * @return the one reason; for work that is running, {@link WhyNot.UnitLive}
   */
  public static WhyNot of(Kind kind, TableState state, Context context, Now now) {
    Situation situation = new Situation(state, context, now);
    Unit unit = state.unit(kind);
    if (unit != null) {
      return ofLive(unit, situation);
    }
    WhyNot reason = DemandRules.whyNot(kind, situation);
    if (reason == null) {
      throw new IllegalStateException(
          "expected a state at rest, but " + kind + " of " + state.table() + " is due");
    }
    return reason;
  }

  /** Whether a live unit has waited so long that it is served before its like. */
  public static boolean isPromoted(Unit unit, TableState state, Context context, Now now) {
    return Ranks.isPromoted(unit, new Situation(state, context, now));
  }

  private static WhyNot ofLive(Unit unit, Situation situation) {
    TableState state = situation.state();
    if (unit.phase() == Unit.Phase.REQUESTED) {
      WhyNot notOffered = DemandRules.notOffered(unit, situation);
      Unit.Asked asked = unit.asked();
      if (notOffered != null) {
        return notOffered;
      }
      if (asked == null) {
        throw new IllegalStateException("expected a state at rest, but nobody asked for " + unit);
      }
      return new WhyNot.WaitingForPlacement(unit.id(), asked.pool(), asked.expectedBytes());
    }
    if (!unit.waitsForTurn()) {
      return new WhyNot.UnitLive(unit.id(), unit.phase());
    }
    WhyNot coolingDown = DemandRules.coolingDown(unit, situation);
    if (coolingDown != null) {
      return coolingDown;
    }
    Turns.Turn open = state.turns().open();
    @Nullable UnitId holder = open == null ? null : new UnitId(state.table(), open.unit());
    List<Unit> upcoming = TurnRules.upcoming(situation);
    int position = upcoming.indexOf(unit);
    // While a lost turn is found out, only the look that does so is among the next.
    long before = position < 0 ? Math.max(1, upcoming.size()) : position;
    return new WhyNot.WaitingForTurn(unit.id(), holder, open == null ? before : before + 1);
  }
}
