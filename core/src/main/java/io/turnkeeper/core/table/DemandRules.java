package io.turnkeeper.core.table;

import io.turnkeeper.core.Decided;
import io.turnkeeper.core.Kind;
import io.turnkeeper.core.Now;
import io.turnkeeper.core.UnitId;
import io.turnkeeper.core.policy.Policy;
import org.jspecify.annotations.Nullable;

/** When work begins. */
final class DemandRules {
  private DemandRules() {}

  static @Nullable Decided<TableDecision> openUnit(TableState state, Context context, Now now) {
    if (state.registration() == null) {
      return null;
    }
    for (Kind kind : Kind.values()) {
      if (isFree(state, kind) && mayBegin(state, context.policyOf(state), kind, now)) {
        Demand demand = Demand.of(kind, state, context, now);
        WorkSpec spec = demand.spec();
        if (demand.due() && spec != null) {
          return new Decided<>(
              new UnitDecision.OpenUnit(
                  new UnitId(state.table(), state.lastUnit() + 1), kind, demand.mode(), spec),
              String.format(
                  "%s score %.2f (%s)", kind, Math.min(demand.score(), 1e9), demand.inputs()));
        }
      }
    }
    return null;
  }

  /** A look that still waits for its place gives way to one that finds out about a lost turn. */
  private static boolean isFree(TableState state, Kind kind) {
    Unit live = state.unit(kind);
    return live == null
        || (kind == Kind.OBSERVE
            && state.turns().unresolved() != null
            && live.mode() == Mode.OUTSIDE
            && live.phase() == Unit.Phase.REQUESTED);
  }

  private static boolean mayBegin(TableState state, Policy policy, Kind kind, Now now) {
    boolean findsOut = kind == Kind.OBSERVE && state.turns().unresolved() != null;
    if (findsOut) {
      return true; // A lost turn is always found out, whatever the policy says.
    }
    return policy.allows(kind) && !state.paused().contains(kind) && mayTry(state, kind, now);
  }

  /** Whether the ledger lets a kind be tried now. */
  static boolean mayTry(TableState state, Kind kind, Now now) {
    Failure failure = state.ledger().get(Failure.key(kind));
    return failure == null || failure.isDue(now.atMillis());
  }
}
