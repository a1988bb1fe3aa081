package io.turnkeeper.core.table;

import io.turnkeeper.core.Decided;
import io.turnkeeper.core.Now;
import io.turnkeeper.core.policy.Policy;
import org.jspecify.annotations.Nullable;

/** How a unit gets a place and its worker learns of it. */
final class PlacementRules {
  private PlacementRules() {}

  static @Nullable Decided<TableDecision> requestPlacement(
      TableState state, Context context, Now now) {
    Policy policy = context.policyOf(state);
    for (Unit unit : state.units().values()) {
      if (unit.phase() == Unit.Phase.REQUESTED
          && DemandRules.notOffered(unit, state, policy, now) == null) {
        Demand demand = Demand.of(unit.kind(), state, context, now);
        int rank = Ranks.of(unit, state, policy, now);
        Unit.Asked asked = unit.asked();
        if (asked != null && !asked.pool().equals(policy.pool())) {
          return new Decided<>(
              new UnitDecision.WithdrawPlacement(unit.id(), asked.attempt(), asked.pool()),
              "the policy names pool " + policy.pool());
        }
        // The demand may have gone meanwhile; the unit still needs what it was opened for.
        long bytes =
            asked == null
                ? demand.expectedBytes()
                : Math.max(demand.expectedBytes(), asked.expectedBytes());
        Unit.Asked question =
            new Unit.Asked(policy.pool(), unit.attempt(), rank, Scores.log2(demand.score()), bytes);
        if (!question.sameRank(asked)) {
          return new Decided<>(
              new UnitDecision.RequestPlacement(
                  unit.id(),
                  unit.attempt(),
                  policy.pool(),
                  unit.kind(),
                  rank,
                  demand.score(),
                  unit.requestedAtMillis(),
                  bytes),
              "class " + rank + ": " + demand.inputs());
        }
      }
    }
    return null;
  }

  static @Nullable Decided<TableDecision> startUnit(TableState state, Context context, Now now) {
    Registration registration = state.registration();
    for (Unit unit : state.units().values()) {
      Unit.Placement place = unit.placement();
      if (unit.phase() == Unit.Phase.PLACED && place != null && registration != null) {
        return new Decided<>(
            new Assignment.RunUnit(
                unit.current(),
                unit.kind(),
                unit.mode(),
                unit.spec(),
                state.incarnation(),
                registration.uri(),
                registration.walUri(),
                place.reservedBytes()),
            "placed on " + place.executor());
      }
    }
    return null;
  }
}
