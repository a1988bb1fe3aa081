package io.turnkeeper.core.table;

import io.turnkeeper.core.Kind;
import io.turnkeeper.core.Now;
import io.turnkeeper.core.UnitId;
import io.turnkeeper.core.policy.Policy;
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
    Unit unit = state.unit(kind);
    if (unit != null) {
      return ofLive(unit, state, context.policyOf(state), now);
    }
    WhyNot reason = DemandRules.whyNot(kind, state, context, now);
    if (reason == null) {
      throw new IllegalStateException(
          "expected a state at rest, but " + kind + " of " + state.table() + " is due");
    }
    return reason;
  }

  private static WhyNot ofLive(Unit unit, TableState state, Policy policy, Now now) {
    if (unit.phase() == Unit.Phase.REQUESTED) {
      WhyNot notOffered = DemandRules.notOffered(unit, state, policy, now);
      Unit.Asked asked = unit.asked();
      return notOffered != null
          ? notOffered
          : new WhyNot.WaitingForPlacement(unit.id(), asked == null ? 0 : asked.expectedBytes());
    }
    if (!unit.waitsForTurn()) {
      return new WhyNot.UnitLive(unit.id(), unit.phase());
    }
    List<Unit> order = TurnRules.order(state, policy, now);
    Turns.Turn open = state.turns().open();
    @Nullable UnitId holder = open == null ? null : new UnitId(state.table(), open.unit());
    long before = Math.max(0, order.indexOf(unit));
    long ahead = open == null ? before : before + 1;
    return new WhyNot.WaitingForTurn(unit.id(), holder, ahead);
  }
}
