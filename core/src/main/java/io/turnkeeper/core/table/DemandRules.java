package io.turnkeeper.core.table;

import io.turnkeeper.core.Decided;
import io.turnkeeper.core.FailureCode;
import io.turnkeeper.core.Kind;
import io.turnkeeper.core.Now;
import io.turnkeeper.core.UnitId;
import io.turnkeeper.core.policy.Policy;
import io.turnkeeper.core.policy.PolicyMode;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** When work begins, and why it does not. */
final class DemandRules {
  /** A look for a lost turn that failed is tried again at the latest after this. */
  static final long MAX_FINDER_DELAY_MILLIS = 30_000;

  private static final String GIVES_WAY = "gives way to finding out about a lost turn";

  private DemandRules() {}

  static @Nullable Decided<TableDecision> openUnit(Situation situation) {
    TableState state = situation.state();
    for (Kind kind : Kind.values()) {
      Unit live = state.unit(kind);
      if ((live == null || givesWay(live, state)) && begins(kind, situation)) {
        if (live != null) {
          return new Decided<>(
              new UnitDecision.FailUnit(
                  live.id(), live.attempt(), FailureCode.SUPERSEDED.name(), GIVES_WAY),
              GIVES_WAY);
        }
        Demand demand = situation.demand(kind);
        return new Decided<>(
            new UnitDecision.OpenUnit(
                new UnitId(state.table(), state.lastUnit() + 1),
                kind,
                demand.mode(),
                Objects.requireNonNull(demand.spec())),
            String.format(
                Locale.ROOT,
                "%s score %.2f (%s)",
                kind,
                Math.min(demand.score(), 1e9),
                demand.inputs()));
      }
    }
    return null;
  }

  /** A look that still waits for its place gives way to one that finds out about a lost turn. */
  private static boolean givesWay(Unit live, TableState state) {
    return live.isPlainLook()
        && state.turns().unresolved() != null
        && live.phase() == Unit.Phase.REQUESTED;
  }

  private static boolean begins(Kind kind, Situation situation) {
    return obstacle(kind, situation) == null && situation.demand(kind).begins();
  }

  /** Why a kind without a live unit does not begin one; null if it does. */
  static @Nullable WhyNot whyNot(Kind kind, Situation situation) {
    WhyNot obstacle = obstacle(kind, situation);
    return obstacle != null ? obstacle : objection(situation.demand(kind));
  }

  /** What stands in the way whatever the demand. */
  private static @Nullable WhyNot obstacle(Kind kind, Situation situation) {
    TableState state = situation.state();
    if (state.registration() == null) {
      return new WhyNot.NotRegistered();
    }
    Failure failure = state.ledger().get(Failure.key(kind));
    if (isNeeded(kind, state)) {
      return cooldown(
          failure == null ? null : failure.dueBy(MAX_FINDER_DELAY_MILLIS), situation.now());
    }
    WhyNot forbidden = forbidden(kind, situation);
    if (forbidden != null) {
      return forbidden;
    }
    WhyNot cooldown = cooldown(failure, situation.now());
    return cooldown != null ? cooldown : tooSoon(kind, situation);
  }

  /** A lost turn is always found out, whatever the policy says, and soon. */
  private static boolean isNeeded(Kind kind, TableState state) {
    return kind == Kind.OBSERVE && state.turns().unresolved() != null;
  }

  /** What people do not allow. */
  private static @Nullable WhyNot forbidden(Kind kind, Situation situation) {
    Policy policy = situation.policy();
    if (!policy.kinds().contains(kind)) {
      return new WhyNot.ByPolicy("kinds");
    }
    if (!policy.allows(kind)) {
      return new WhyNot.ByPolicy("mode");
    }
    return situation.state().paused().contains(kind)
        ? new WhyNot.ByPolicy("paused by an operator")
        : null;
  }

  private static @Nullable WhyNot tooSoon(Kind kind, Situation situation) {
    TableState state = situation.state();
    long next = earliestMillis(kind, state, situation.policy());
    return situation.atMillis() < next && !state.triggered().contains(kind)
        ? new WhyNot.Cooldown("MIN_INTERVAL", next)
        : null;
  }

  /** When a kind may begin again after its last success, as far as its interval goes. */
  static long earliestMillis(Kind kind, TableState state, Policy policy) {
    long last = state.done(kind).lastSuccessMillis();
    return last == 0 ? 0 : last + policy.minIntervalMillis(kind);
  }

  /** What the demand itself says against beginning. */
  private static @Nullable WhyNot objection(Demand demand) {
    if (demand.begins()) {
      return null;
    }
    if (demand.spec() == null || (demand.score() == 0 && !demand.due())) {
      return new WhyNot.NoDemand(demand.inputs());
    }
    return demand.due()
        ? new WhyNot.Yielding(Objects.requireNonNull(demand.yieldsTo()))
        : new WhyNot.BelowThreshold(demand.score(), demand.inputs());
  }

  private static @Nullable WhyNot cooldown(@Nullable Failure failure, Now now) {
    if (failure == null || failure.isDue(now.atMillis())) {
      return null;
    }
    return failure.attention()
        ? new WhyNot.NeedsAttention(failure.code(), failure.nextRetryMillis())
        : new WhyNot.Cooldown(failure.code(), failure.nextRetryMillis());
  }

  /** Why a requested unit is not offered to the pool now; null if it is. */
  static @Nullable WhyNot notOffered(Unit unit, Situation situation) {
    if (!unit.findsOut()) {
      WhyNot forbidden =
          situation.policy().mode() == PolicyMode.SHADOW
              ? new WhyNot.ByPolicy("mode")
              : forbidden(unit.kind(), situation);
      if (forbidden != null) {
        return forbidden;
      }
    }
    // The first attempt was opened because it was due; only a later one has to wait.
    return unit.attempt() == 1 ? null : coolingDown(unit, situation);
  }

  /** Why a live unit's next try, of its work or of its turn, is not due yet; null if it is. */
  static @Nullable WhyNot coolingDown(Unit unit, Situation situation) {
    Failure failure = situation.state().ledger().get(Failure.key(unit.kind()));
    return cooldown(
        failure != null && unit.findsOut() ? failure.dueBy(MAX_FINDER_DELAY_MILLIS) : failure,
        situation.now());
  }
}
