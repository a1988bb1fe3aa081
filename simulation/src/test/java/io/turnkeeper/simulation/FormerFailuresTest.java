package io.turnkeeper.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.turnkeeper.simulation.plan.Plan;
import io.turnkeeper.simulation.plan.Scenario;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Lives in which something was found to be wrong once, with the rules or with a check of them. */
class FormerFailuresTest {
  private static final int STEPS = 5_000;

  @ParameterizedTest
  @CsvSource({
    "20000023, a second urgent unit that fits only on an executor kept for the first",
    "20000274, an executor that wakes up with an order it has not read",
    "20000333, an executor that wakes up with an order it has not read",
    "439, the end of a place ends the next one of the same attempt",
    "20001608, many generations behind a bad one do not make a merge urgent"
  })
  void aLifeThatFailedOnceSurvives(long seed, String what) {
    Plan plan = Plan.of(Scenario.EVERYTHING, seed, STEPS);
    assertThat(Life.of(plan, Rules.REAL, line -> {}).violation()).as(what).isNull();
  }
}
