package io.turnkeeper.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.turnkeeper.core.ExecutorId;
import io.turnkeeper.core.pool.PoolState;
import io.turnkeeper.simulation.plan.Action;
import io.turnkeeper.simulation.plan.ActionKind;
import io.turnkeeper.simulation.world.Violation;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** An executor that nobody hears for longer than it is remembered, and that comes back then. */
class LongGoneTest {
  private static final long HOUR_MILLIS = 3_600_000;
  private static final ExecutorId GONE = new ExecutorId("worker-1");

  @Test
  void itsPlacesAreGivenToOthersAndItGetsNoneAsTheStartItWas() {
    Fleet fleet = asleepWithAUnit(Rules.REAL);
    fleet.runTo(23 * HOUR_MILLIS);
    assertThat(pool(fleet).reservedBytes(GONE)).isPositive();
    fleet.runTo(24 * HOUR_MILLIS + 60_000);
    assertThat(pool(fleet).reservedBytes(GONE)).isZero();
    assertThat(fleet.tableTask.states().values())
        .allSatisfy(
            state ->
                assertThat(state.held())
                    .noneMatch(place -> place.attempt().executor().equals(GONE)));
    wakeUpAmidWork(fleet);
    fleet.rebuild();
  }

  @Test
  void rulesThatWelcomeItAreFoundOut() {
    Fleet fleet = asleepWithAUnit(Rules.REAL.withPool(new Mutation.Hospitable()));
    assertThatThrownBy(() -> wakeUpAmidWork(fleet))
        .isInstanceOf(Violation.class)
        .hasMessageContaining("3: no unit is placed on a start whose places were given to others");
  }

  /** The only executor sleeps over a day, with a unit that it was given. */
  private static Fleet asleepWithAUnit(Rules rules) {
    Fleet fleet = new Fleet(1, 1, rules, what -> {});
    fleet.start();
    fleet.runTo(10_000);
    seal(fleet);
    while (pool(fleet).reservedBytes(GONE) == 0) {
      fleet.runTo(fleet.clock.ageMillis() + 10);
    }
    fleet.executors.get(0).freeze(25 * HOUR_MILLIS);
    return fleet;
  }

  private static void wakeUpAmidWork(Fleet fleet) {
    fleet.runTo(25 * HOUR_MILLIS);
    for (int second = 0; second < 20; second++) {
      seal(fleet);
      fleet.runTo(25 * HOUR_MILLIS + second * 1_000L);
    }
  }

  private static void seal(Fleet fleet) {
    Outside outside = new Outside(fleet);
    for (int who = 0; who < 64; who++) {
      outside.act(new Action(who, 0, ActionKind.SEAL, who, who / 16, 2));
    }
  }

  private static PoolState pool(Fleet fleet) {
    return Objects.requireNonNull(fleet.poolTask.states().get(Fleet.POOL));
  }
}
