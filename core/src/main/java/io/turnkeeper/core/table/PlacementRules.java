package io.turnkeeper.core.table;

import io.turnkeeper.core.Decided;
import io.turnkeeper.core.FailureCode;
import io.turnkeeper.core.Kind;
import io.turnkeeper.core.PoolId;
import org.jspecify.annotations.Nullable;

/** How a unit gets a place and its worker learns of it. */
final class PlacementRules {
  private static final String OTHERWISE = "opened for what is done otherwise now";

  private PlacementRules() {}

  static @Nullable Decided<TableDecision> requestPlacement(Situation situation) {
    for (Unit unit : situation.state().units().values()) {
      if (unit.phase() == Unit.Phase.REQUESTED) {
        Decided<TableDecision> decided = request(unit, situation);
        if (decided != null) {
          return decided;
        }
      }
    }
    return null;
  }

  private static @Nullable Decided<TableDecision> request(Unit unit, Situation situation) {
    WhyNot notOffered = DemandRules.notOffered(unit, situation);
    PoolId pool = situation.policy().pool();
    Unit.Asked asked = unit.asked();
    if (asked != null
        && asked.attempt() == unit.attempt()
        && (notOffered != null || !asked.pool().equals(pool))) {
      return new Decided<>(
          new UnitDecision.WithdrawPlacement(unit.id(), asked.attempt(), asked.pool()),
          notOffered != null ? "not wanted now: " + notOffered : "the policy names pool " + pool);
    }
    if (notOffered != null) {
      return null;
    }
    Demand demand = situation.demand(unit.kind());
    if (asked == null && isOutdated(unit, demand)) {
      return new Decided<>(
          new UnitDecision.FailUnit(
              unit.id(), unit.attempt(), FailureCode.SUPERSEDED.name(), OTHERWISE),
          OTHERWISE);
    }
    int rank = Ranks.of(unit, situation);
    // The demand may have gone meanwhile; the unit still needs what it was opened for.
    long bytes =
        asked == null
            ? demand.expectedBytes()
            : Math.max(demand.expectedBytes(), asked.expectedBytes());
    Unit.Asked question =
        new Unit.Asked(pool, unit.attempt(), rank, Scores.log2(demand.score()), bytes);
    return question.sameRank(asked)
        ? null
        : new Decided<>(
            new UnitDecision.RequestPlacement(
                unit.id(),
                unit.attempt(),
                pool,
                unit.kind(),
                rank,
                demand.score(),
                unit.requestedAtMillis(),
                bytes),
            "class " + rank + ": " + demand.inputs());
  }

  /**
   * Whether a unit that could not be offered when it was opened, as in shadow, or since then, was
   * opened for what would be done otherwise now. To merge what was pending then is never wrong.
   */
  private static boolean isOutdated(Unit unit, Demand demand) {
    return unit.attempt() == 1
        && unit.kind() != Kind.MERGE_WAL
        && !unit.spec().equals(demand.spec());
  }

  static @Nullable Decided<TableDecision> startUnit(Situation situation) {
    TableState state = situation.state();
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
