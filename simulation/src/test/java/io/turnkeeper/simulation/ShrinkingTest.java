package io.turnkeeper.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.turnkeeper.simulation.plan.Action;
import io.turnkeeper.simulation.plan.Plan;
import io.turnkeeper.simulation.plan.Scenario;
import io.turnkeeper.simulation.plan.Shrinker;
import io.turnkeeper.simulation.world.Violation;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

/** Of a life that fails little is left, at a bounded price. */
class ShrinkingTest {
  private static final Plan WHOLE = Plan.of(Scenario.EVERYTHING, 1, 5_000);
  private static final int BUDGET = 500_000;

  @Test
  void threeActionsFarApartAreFound() {
    assertThat(shrunk(indices -> indices.containsAll(List.of(7, 1_900, 4_200)), BUDGET))
        .containsExactly(7, 1_900, 4_200);
  }

  @Test
  void aPartThatFailsByItselfIsFoundThoughNothingCanBeLeftOutOfTheRest() {
    assertThat(shrunk(indices -> indices.size() == 5_000 || isMiddle(indices), BUDGET))
        .hasSizeLessThanOrEqualTo(10);
  }

  private static boolean isMiddle(List<Integer> indices) {
    return indices.contains(1_300) && indices.size() <= 1_250;
  }

  @Test
  void theSearchEndsWhenItsWorkIsDone() {
    AtomicInteger lived = new AtomicInteger();
    shrunk(
        indices -> {
          lived.addAndGet(indices.size());
          return indices.size() == 5_000;
        },
        20_000);
    assertThat(lived).hasValueBetween(10_000, 25_000);
  }

  @Test
  void whatComesAfterTheViolationMakesNoDifference() {
    Rules mutated = Rules.REAL.with(new Mutation.OneAtATime());
    Plan plan = Plan.of(Scenario.UNPREPARED_COMPACTION_UNDER_MERGES, 1, 400);
    Life.Outcome outcome = Life.of(plan, mutated, what -> {});
    assertThat(outcome.begun()).isBetween(1, 399);
    assertThat(message(Life.of(plan.first(outcome.begun()), mutated, what -> {})))
        .isEqualTo(message(outcome));
  }

  private static String message(Life.Outcome outcome) {
    Violation violation = Objects.requireNonNull(outcome.violation());
    return String.valueOf(violation.getMessage());
  }

  private static List<Integer> shrunk(Predicate<List<Integer>> fails, int mostActions) {
    Shrinker shrinker =
        new Shrinker(plan -> fails.test(indices(plan)), mostActions, (tried, most, left) -> {});
    return indices(shrinker.shrunk(WHOLE));
  }

  private static List<Integer> indices(Plan plan) {
    return plan.actions().stream().map(Action::index).toList();
  }
}
