package io.turnkeeper.simulation.plan;

import static io.turnkeeper.simulation.plan.ActionKind.AUTHORITY_OUT;
import static io.turnkeeper.simulation.plan.ActionKind.BAD_GENERATION;
import static io.turnkeeper.simulation.plan.ActionKind.CHILD_LIVES_ON;
import static io.turnkeeper.simulation.plan.ActionKind.CLOCK_STEP;
import static io.turnkeeper.simulation.plan.ActionKind.CRASH;
import static io.turnkeeper.simulation.plan.ActionKind.CRASH_AT;
import static io.turnkeeper.simulation.plan.ActionKind.FREEZE;
import static io.turnkeeper.simulation.plan.ActionKind.FREEZE_AT;
import static io.turnkeeper.simulation.plan.ActionKind.HOLE;
import static io.turnkeeper.simulation.plan.ActionKind.LIE;
import static io.turnkeeper.simulation.plan.ActionKind.OPERATOR;
import static io.turnkeeper.simulation.plan.ActionKind.POLICY;
import static io.turnkeeper.simulation.plan.ActionKind.POOL_DOWN;
import static io.turnkeeper.simulation.plan.ActionKind.QUIET;
import static io.turnkeeper.simulation.plan.ActionKind.RECREATE;
import static io.turnkeeper.simulation.plan.ActionKind.REPEATED;
import static io.turnkeeper.simulation.plan.ActionKind.SEAL;
import static io.turnkeeper.simulation.plan.ActionKind.SECOND_ID;
import static io.turnkeeper.simulation.plan.ActionKind.SHRINK;
import static io.turnkeeper.simulation.plan.ActionKind.SKIP_BAD;
import static io.turnkeeper.simulation.plan.ActionKind.SLOW_TOPIC;
import static io.turnkeeper.simulation.plan.ActionKind.TABLES_DOWN;
import static io.turnkeeper.simulation.plan.ActionKind.WORK_STALLS;

import io.turnkeeper.core.Kind;
import io.turnkeeper.core.table.PolicyEvent;
import io.turnkeeper.simulation.worker.Point;
import io.turnkeeper.simulation.world.Topic;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/**
 * What kind of trouble a life has. Each but the first makes one kind likely, so that a rule that is
 * missing for it is found out within seconds.
 */
public enum Scenario {
  EVERYTHING(
      "Everything that can happen, each thing as often as it should.",
      Arrays.stream(ActionKind.values()).map(kind -> Ingredient.of(kind, kind.weight()))),

  COMMITTED_BUT_NEVER_REPORTED(
      "Workers die between their commit and their report.",
      Ingredient.of(SEAL, 40),
      Ingredient.of(CRASH_AT, 2).which(Point.COMMITTED)),

  LOWER_TURN_AFTER_A_HIGHER_ONE(
      "A worker sleeps over its grant while a higher turn is taken and given back unused.",
      Ingredient.of(SEAL, 80),
      Ingredient.of(FREEZE_AT, 2).which(Point.GRANT_READ).amount(13_000),
      Ingredient.of(LIE, 2).amount(0),
      Ingredient.of(CRASH_AT, 1).which(Point.TURN_TAKEN)),

  DROPPED_AND_RECREATED(
      "Tables are dropped and recreated while workers sleep and old words are on their way.",
      Ingredient.of(SEAL, 60),
      Ingredient.of(RECREATE, 4),
      Ingredient.of(REPEATED, 4).which(Topic.DEMAND).amount(19),
      Ingredient.of(SLOW_TOPIC, 2).which(Topic.DEMAND),
      Ingredient.of(FREEZE, 2)),

  TWO_IDS_FOR_ONE_DIRECTORY(
      "Somebody registers the directory of a table under a second name.",
      Ingredient.of(SEAL, 20),
      Ingredient.of(SECOND_ID, 1)),

  CONTINUOUS_UPSERTS(
      "Merges that change what compactions and index builds have read, without a pause.",
      Ingredient.of(SEAL, 40),
      Ingredient.of(POLICY, 1).which(2)),

  THREE_KINDS_READY(
      "Several kinds are ready while turn after turn comes to nothing.",
      Ingredient.of(SEAL, 60),
      Ingredient.of(AUTHORITY_OUT, 3).amount(19_999),
      Ingredient.of(OPERATOR, 4).amount(PolicyEvent.Action.TRIGGER)),

  UNPREPARED_COMPACTION_UNDER_MERGES(
      "Compactions that hold the turn while they work, under merges that never end.",
      Ingredient.of(SEAL, 60),
      Ingredient.of(POLICY, 2).which(0),
      Ingredient.of(OPERATOR, 2).which(Kind.COMPACT).amount(PolicyEvent.Action.TRIGGER)),

  CLOCK_AHEAD_AND_BACK(
      "Clocks go ahead and back by an hour and more, and schedulers start under them.",
      Ingredient.of(SEAL, 60),
      Ingredient.of(CLOCK_STEP, 3).which(0),
      Ingredient.of(TABLES_DOWN, 2).amount(1_001),
      Ingredient.of(POOL_DOWN, 2).amount(1_001)),

  TEN_MINUTES_DOWN(
      "The scheduler is away for ten minutes, and then reads what was said meanwhile.",
      Ingredient.of(SEAL, 100),
      Ingredient.of(TABLES_DOWN, 1).amount(0),
      Ingredient.of(WORK_STALLS, 4),
      Ingredient.of(SLOW_TOPIC, 4).which(Topic.CHECKPOINT),
      Ingredient.of(QUIET, 4)),

  HOLES_AND_BAD_GENERATIONS(
      "Generations that cannot be read, and generations that are not there, between good ones.",
      Ingredient.of(SEAL, 40),
      Ingredient.of(BAD_GENERATION, 2),
      Ingredient.of(HOLE, 2),
      Ingredient.of(SKIP_BAD, 2)),

  CHILD_THAT_LIVES_ON(
      "Work that was cancelled goes on for a while, on executors with little memory.",
      Ingredient.of(SEAL, 60),
      Ingredient.of(LIE, 2).amount(0),
      Ingredient.of(CRASH, 1),
      Ingredient.of(CHILD_LIVES_ON, 4),
      Ingredient.of(OPERATOR, 4).which(Kind.MERGE_WAL).amount(PolicyEvent.Action.CANCEL)),

  RELEASED_BUT_NEVER_HEARD(
      "Workers die after they let go of their work and before the tables hear of it.",
      Ingredient.of(SEAL, 60),
      Ingredient.of(SLOW_TOPIC, 6).which(Topic.CLAIM).amount(9_999),
      Ingredient.of(CRASH, 4)),

  EXECUTORS_THAT_GROW(
      "Executors have little memory for a while, and more of it later.",
      Ingredient.of(SEAL, 60),
      Ingredient.of(SHRINK, 8),
      Ingredient.of(LIE, 1)),

  POLICY_THAT_IS_ONLY_TRIED(
      "Policies are tried in shadow and taken back, between others that hold.",
      Ingredient.of(SEAL, 60),
      Ingredient.of(POLICY, 2).which(6),
      Ingredient.of(POLICY, 2).which(9));

  @SuppressWarnings("ImmutableEnumChecker") // A list that cannot be modified, of records.
  private final List<Ingredient> ingredients;

  private final String about;

  Scenario(String about, Ingredient... ingredients) {
    this(about, Arrays.stream(ingredients));
  }

  Scenario(String about, Stream<Ingredient> ingredients) {
    this.about = about;
    this.ingredients = ingredients.toList();
  }

  /** The trouble in one sentence. */
  public String about() {
    return about;
  }

  /** What happens if a number below {@link #weight} is drawn. */
  Ingredient drawn(int number) {
    int left = number;
    for (Ingredient one : ingredients) {
      left -= one.weight();
      if (left < 0) {
        return one;
      }
    }
    throw new IllegalStateException("expected the weights to cover " + number);
  }

  int weight() {
    return ingredients.stream().mapToInt(Ingredient::weight).sum();
  }
}
