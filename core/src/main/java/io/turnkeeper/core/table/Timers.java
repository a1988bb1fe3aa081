package io.turnkeeper.core.table;

import io.turnkeeper.core.Kind;
import io.turnkeeper.core.Now;
import io.turnkeeper.core.policy.Policy;

/** When a table should be looked at again although nothing happened. */
public final class Timers {
  /** No time at all. */
  public static final long NEVER = Long.MAX_VALUE;

  private Timers() {}

  /**
   * The earliest time, on the task's clock in milliseconds, at which time alone could make a rule
   * speak; {@link #NEVER} if it could not.
   */
  public static long nextDueMillis(TableState state, Context context, Now now) {
    if (state.registration() == null) {
      return NEVER;
    }
    Situation situation = new Situation(state, context, now);
    long due = ofDemand(situation);
    for (Failure failure : state.ledger().values()) {
      due = Math.min(due, after(failure.nextRetryMillis(), now));
      if (state.turns().unresolved() != null) {
        long finder = failure.dueBy(DemandRules.MAX_FINDER_DELAY_MILLIS).nextRetryMillis();
        due = Math.min(due, after(finder, now));
      }
    }
    for (Unit unit : state.units().values()) {
      due = Math.min(due, ofUnit(unit, situation));
    }
    return due;
  }

  /** When a kind that has no unit may come to want one. */
  private static long ofDemand(Situation situation) {
    TableState state = situation.state();
    Policy policy = situation.policy();
    Now now = situation.now();
    long due = NEVER;
    for (Kind kind : state.done().keySet()) {
      if (state.unit(kind) == null) {
        due = Math.min(due, after(DemandRules.earliestMillis(kind, state, policy), now));
      }
    }
    Observation seen = state.observation();
    if (seen != null && state.unit(Kind.RETIRE) == null) {
      due = Math.min(due, after(seen.lastWriteAtMillis() + policy.retireAfterMillis(), now));
    }
    long last = state.lastLookMillis();
    if (last > 0 && state.unit(Kind.OBSERVE) == null) {
      due = Math.min(due, after(last + policy.observeRescanAfterMillis(), now));
      if (state.changedSinceObserved()) {
        due = Math.min(due, after(last + policy.observeAfterMillis(), now));
      }
    }
    return state.unit(Kind.MERGE_WAL) == null ? Math.min(due, ofTail(situation)) : due;
  }

  private static long ofUnit(Unit unit, Situation situation) {
    Now now = situation.now();
    long wait = situation.policy().maxWaitMillis(unit.kind());
    long promotion = after(unit.requestedAtMillis() + wait, now);
    SilenceRules.Limit limit = SilenceRules.limit(unit, situation);
    if (limit == null || unit.silence().probe() != 0) {
      return promotion;
    }
    // Observed time never runs faster than the clock, so this is never too late by itself.
    long left = unit.heardMillis() + limit.millis() - now.observedMillis();
    return Math.min(promotion, now.lookAgainFor(left));
  }

  /** When the score of a waiting tail reaches 1, or the tail counts as aged. */
  private static long ofTail(Situation situation) {
    MergePlan plan = situation.mergePlan();
    if (plan.ranges().isEmpty() || plan.oldestFlushMillis() == 0) {
      return NEVER;
    }
    Policy policy = situation.policy();
    long aged = after(plan.oldestFlushMillis() + policy.mergeMaxAgeMillis(), situation.now());
    double base = Scores.merge(plan.pending(), plan.pendingBytes(), 0, policy);
    if (plan.oldestExactMillis() == 0 || base <= 0 || base >= 1) {
      return aged;
    }
    double ages = Math.min(1, 1 / base - 1);
    long due = plan.oldestExactMillis() + (long) Math.ceil(ages * policy.mergeMaxAgeMillis()) + 1;
    return Math.min(aged, after(due, situation.now()));
  }

  /** A time that has passed has already been decided on. */
  private static long after(long millis, Now now) {
    return millis > now.atMillis() ? millis : NEVER;
  }
}
