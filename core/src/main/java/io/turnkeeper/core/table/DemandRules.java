package io.turnkeeper.core.table;

import io.turnkeeper.core.Decided;
import io.turnkeeper.core.Kind;
import io.turnkeeper.core.Now;
import io.turnkeeper.core.UnitId;
import io.turnkeeper.core.policy.Policy;
import io.turnkeeper.core.policy.PolicyMode;
import org.jspecify.annotations.Nullable;

/** When work begins, and why it does not. */
final class DemandRules {
  /** A look for a lost turn that failed is tried again at the latest after this. */
  static final long MAX_FINDER_DELAY_MILLIS = 30_000;

  private DemandRules() {}

  static @Nullable Decided<TableDecision> openUnit(TableState state, Context context, Now now) {
    for (Kind kind : Kind.values()) {
      if (isFree(state, kind) && obstacle(kind, state, context, now) == null) {
        Demand demand = Demand.of(kind, state, context, now);
        WorkSpec spec = demand.spec();
        if (spec != null && objection(demand) == null) {
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

  /** Why a kind without a live unit does not begin one; null if it does. */
  static @Nullable WhyNot whyNot(Kind kind, TableState state, Context context, Now now) {
    WhyNot obstacle = obstacle(kind, state, context, now);
    return obstacle != null ? obstacle : objection(Demand.of(kind, state, context, now));
  }

  /** What stands in the way whatever the demand. */
  private static @Nullable WhyNot obstacle(Kind kind, TableState state, Context context, Now now) {
    if (state.registration() == null) {
      return new WhyNot.NotRegistered();
    }
    Failure failure = state.ledger().get(Failure.key(kind));
    if (kind == Kind.OBSERVE && state.turns().unresolved() != null) {
      // A lost turn is always found out, whatever the policy says, and soon.
      return cooldown(failure == null ? null : failure.dueBy(MAX_FINDER_DELAY_MILLIS), now);
    }
    Policy policy = context.policyOf(state);
    if (!policy.kinds().contains(kind)) {
      return new WhyNot.ByPolicy("kinds");
    }
    if (!policy.allows(kind)) {
      return new WhyNot.ByPolicy("mode");
    }
    if (state.paused().contains(kind)) {
      return new WhyNot.ByPolicy("paused by an operator");
    }
    return cooldown(failure, now);
  }

  /** What the demand itself says against beginning. */
  private static @Nullable WhyNot objection(Demand demand) {
    if (demand.spec() == null || (demand.score() == 0 && !demand.due())) {
      return new WhyNot.NoDemand(demand.inputs());
    }
    if (!demand.due()) {
      return new WhyNot.BelowThreshold(demand.score(), demand.inputs());
    }
    Kind first = demand.yieldsTo();
    return first == null ? null : new WhyNot.Yielding(first);
  }

  static @Nullable WhyNot cooldown(@Nullable Failure failure, Now now) {
    if (failure == null || failure.isDue(now.atMillis())) {
      return null;
    }
    return failure.attention()
        ? new WhyNot.NeedsAttention(failure.code(), failure.nextRetryMillis())
        : new WhyNot.Cooldown(failure.code(), failure.nextRetryMillis());
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

  /** Why a requested unit is not offered to the pool now; null if it is. */
  static @Nullable WhyNot notOffered(Unit unit, TableState state, Policy policy, Now now) {
    if (policy.mode() == PolicyMode.SHADOW) {
      return new WhyNot.ByPolicy("mode");
    }
    // The first attempt was opened because it was due; only a later one has to wait.
    return unit.attempt() == 1 ? null : cooldown(state.ledger().get(Failure.key(unit.kind())), now);
  }
}
