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
    Policy policy = context.policyOf(state);
    long due = NEVER;
    for (Failure failure : state.ledger().values()) {
      due = Math.min(due, after(failure.nextRetryMillis(), now));
      if (state.turns().unresolved() != null) {
        long finder = failure.dueBy(DemandRules.MAX_FINDER_DELAY_MILLIS).nextRetryMillis();
        due = Math.min(due, after(finder, now));
      }
    }
    for (Unit unit : state.units().values()) {
      due = Math.min(due, ofUnit(unit, state, policy, context, now));
    }
    Observation seen = state.observation();
    if (seen != null && state.unit(Kind.OBSERVE) == null) {
      due = Math.min(due, after(seen.atMillis() + policy.observeRescanAfterMillis(), now));
      if (state.changedSinceObserved()) {
        due = Math.min(due, after(seen.atMillis() + policy.observeAfterMillis(), now));
      }
    }
    if (state.unit(Kind.MERGE_WAL) == null) {
      due = Math.min(due, ofTail(state, policy, now));
    }
    return due;
  }

  private static long ofUnit(Unit unit, TableState state, Policy policy, Context context, Now now) {
    long promotion = after(unit.requestedAtMillis() + policy.maxWaitMillis(unit.kind()), now);
    SilenceRules.Limit limit = SilenceRules.limit(unit, state, policy, context.settings());
    if (limit == null || unit.silence().probe() != 0) {
      return promotion;
    }
    // Observed time never runs faster than the clock, so this is never too late by itself.
    long left = Math.max(0, unit.heardMillis() + limit.millis() - now.observedMillis());
    return Math.min(promotion, now.atMillis() + left);
  }

  /** When the score of a waiting tail reaches 1, or the tail counts as aged. */
  private static long ofTail(TableState state, Policy policy, Now now) {
    MergePlan plan = MergePlan.of(state, policy, now.atMillis());
    if (plan.ranges().isEmpty() || plan.oldestFlushMillis() == 0) {
      return NEVER;
    }
    double base = Scores.merge(plan.pending(), plan.pendingBytes(), 0, policy);
    long aged = plan.oldestFlushMillis() + policy.mergeMaxAgeMillis();
    if (base <= 0 || base >= 1) {
      return after(aged, now);
    }
    double ages = Math.min(1, 1 / base - 1);
    long due = plan.oldestFlushMillis() + (long) Math.ceil(ages * policy.mergeMaxAgeMillis());
    return after(Math.min(due, aged), now);
  }

  /** A time that has passed has already been decided on. */
  private static long after(long millis, Now now) {
    return millis > now.atMillis() ? millis : NEVER;
  }
}
