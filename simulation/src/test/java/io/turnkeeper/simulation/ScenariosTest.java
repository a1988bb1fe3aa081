package io.turnkeeper.simulation;

import static io.turnkeeper.simulation.plan.Scenario.CHILD_THAT_LIVES_ON;
import static io.turnkeeper.simulation.plan.Scenario.CLOCK_AHEAD_AND_BACK;
import static io.turnkeeper.simulation.plan.Scenario.COMMITTED_BUT_NEVER_REPORTED;
import static io.turnkeeper.simulation.plan.Scenario.CONTINUOUS_UPSERTS;
import static io.turnkeeper.simulation.plan.Scenario.DROPPED_AND_RECREATED;
import static io.turnkeeper.simulation.plan.Scenario.EXECUTORS_THAT_GROW;
import static io.turnkeeper.simulation.plan.Scenario.HOLES_AND_BAD_GENERATIONS;
import static io.turnkeeper.simulation.plan.Scenario.LOWER_TURN_AFTER_A_HIGHER_ONE;
import static io.turnkeeper.simulation.plan.Scenario.POLICY_THAT_IS_ONLY_TRIED;
import static io.turnkeeper.simulation.plan.Scenario.RELEASED_BUT_NEVER_HEARD;
import static io.turnkeeper.simulation.plan.Scenario.TEN_MINUTES_DOWN;
import static io.turnkeeper.simulation.plan.Scenario.THREE_KINDS_READY;
import static io.turnkeeper.simulation.plan.Scenario.TWO_IDS_FOR_ONE_DIRECTORY;
import static io.turnkeeper.simulation.plan.Scenario.UNPREPARED_COMPACTION_UNDER_MERGES;
import static org.assertj.core.api.Assertions.assertThat;

import io.turnkeeper.simulation.plan.Plan;
import io.turnkeeper.simulation.plan.Scenario;
import io.turnkeeper.simulation.world.Violation;
import java.util.Objects;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The rules survive every kind of trouble, and one that lacks what is needed for it does not. */
class ScenariosTest {
  private static final int LIVES = 3;
  private static final int MUTATED_LIVES = 20;
  private static final int STEPS = 400;

  @ParameterizedTest
  @EnumSource(names = "EVERYTHING", mode = EnumSource.Mode.EXCLUDE)
  void theRulesSurvive(Scenario scenario) {
    assertThat(violations(scenario, Rules.REAL, LIVES)).isEmpty();
  }

  @ParameterizedTest
  @MethodSource("mutations")
  void aMissingRuleIsFoundOut(Scenario scenario, String whatBreaks, Rules mutated) {
    // Lives go on until one shows it, which is the first as a rule.
    boolean isFound =
        violations(scenario, mutated, MUTATED_LIVES)
            .anyMatch(violation -> violation.rule().equals(whatBreaks));
    assertThat(isFound).as(whatBreaks).isTrue();
  }

  static Stream<Arguments> mutations() {
    return Stream.of(
        of(
            COMMITTED_BUT_NEVER_REPORTED,
            "the authority's word counts whatever is live",
            Rules.REAL.with(new Mutation.DeafToTheHead())),
        of(
            LOWER_TURN_AFTER_A_HIGHER_ONE,
            "9: turns of versions rise",
            Rules.REAL.with(ForgetfulAuthority::new)),
        of(
            DROPPED_AND_RECREATED,
            "7: what is said of another incarnation changes nothing",
            Rules.REAL.with(new Mutation.BlindToIncarnations())),
        of(
            TWO_IDS_FOR_ONE_DIRECTORY,
            "one directory has one head",
            Rules.REAL.with(CarelessAuthority::new)),
        of(
            CONTINUOUS_UPSERTS,
            "6: what keeps going stale is published by the third attempt",
            Rules.REAL.with(new Mutation.NeverInside())),
        of(
            THREE_KINDS_READY,
            "6: a ready unit is granted within K(m+1)-1 turns",
            Rules.REAL.with(new Mutation.Stubborn())),
        of(
            UNPREPARED_COMPACTION_UNDER_MERGES,
            "2: a due merge asks for its place whatever is being prepared",
            Rules.REAL.with(new Mutation.OneAtATime())),
        of(
            CLOCK_AHEAD_AND_BACK,
            "silence is checked before it is believed",
            Rules.REAL.with(new Mutation.WallClock())),
        of(
            TEN_MINUTES_DOWN,
            "silence is checked before it is believed",
            Rules.REAL.with(new Mutation.Hasty())),
        of(HOLES_AND_BAD_GENERATIONS, "nothing is lost", Rules.REAL.with(new Mutation.Sloppy())),
        of(
            CHILD_THAT_LIVES_ON,
            "4: what runs on an executor fits",
            Rules.REAL.with(new Mutation.Trusting())),
        of(
            RELEASED_BUT_NEVER_HEARD,
            "everything comes to rest",
            Rules.REAL.withPool(new Mutation.QuickToForget())),
        of(
            EXECUTORS_THAT_GROW,
            "what was too big for everybody may ask again when somebody joins",
            Rules.REAL.withPool(new Mutation.Silent())),
        of(
            POLICY_THAT_IS_ONLY_TRIED,
            "what a policy only tried is not carried out",
            Rules.REAL.with(new Mutation.Eager())));
  }

  private static Arguments of(Scenario scenario, String whatBreaks, Rules mutated) {
    return Arguments.of(scenario, whatBreaks, mutated);
  }

  private static Stream<Violation> violations(Scenario scenario, Rules rules, int lives) {
    return LongStream.rangeClosed(1, lives)
        .mapToObj(seed -> Life.of(Plan.of(scenario, seed, STEPS), rules, what -> {}).violation())
        .filter(Objects::nonNull);
  }
}
