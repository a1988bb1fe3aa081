package io.turnkeeper.core.table;

import io.turnkeeper.core.Kind;
import io.turnkeeper.core.Now;
import io.turnkeeper.core.partition.Settings;
import io.turnkeeper.core.policy.Policy;
import java.util.EnumMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One table at one moment, as its rules see it; what several of them need is worked out once. */
final class Situation {
  private final TableState state;
  private final Context context;
  private final Now now;
  private final Policy policy;
  private final Map<Kind, Demand> demands = new EnumMap<>(Kind.class);
  private @Nullable MergePlan mergePlan;

  Situation(TableState state, Context context, Now now) {
    this.state = state;
    this.context = context;
    this.now = now;
    policy = context.policyOf(state);
  }

  private Situation(Situation before, TableState state) {
    this.state = state;
    context = before.context;
    now = before.now;
    policy = before.policy;
    TableState old = before.state;
    // A plan follows from the log, what failed and the policy alone.
    mergePlan =
        state.shards() == old.shards() && state.ledger() == old.ledger() ? before.mergePlan : null;
  }

  /** The same moment after a decision about the table, none of which touches its policy. */
  Situation after(TableDecision decision) {
    return new Situation(this, decision.applyTo(state, now));
  }

  TableState state() {
    return state;
  }

  Settings settings() {
    return context.settings();
  }

  long gapAtMillis() {
    return context.gapAtMillis();
  }

  Policy policy() {
    return policy;
  }

  Now now() {
    return now;
  }

  long atMillis() {
    return now.atMillis();
  }

  /** Which generations the next merge would take. */
  MergePlan mergePlan() {
    MergePlan plan = mergePlan;
    if (plan == null) {
      plan = MergePlan.of(state, policy, now.atMillis());
      mergePlan = plan;
    }
    return plan;
  }

  /** How much the table's log wants to be merged. */
  double mergeScore() {
    MergePlan plan = mergePlan();
    return Scores.merge(
        plan.pending(), plan.pendingBytes(), plan.exactAgeMillis(now.atMillis()), policy);
  }

  Demand demand(Kind kind) {
    Demand demand = demands.get(kind);
    if (demand == null) {
      demand = Demand.of(kind, this);
      demands.put(kind, demand);
    }
    return demand;
  }
}
