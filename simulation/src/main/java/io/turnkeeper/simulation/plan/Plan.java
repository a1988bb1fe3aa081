package io.turnkeeper.simulation.plan;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.SplittableRandom;

/**
 * All that the outside does in one life. It follows from scenario, seed and length alone, never
 * from what the fleet does, so that any part of it can be left out and the rest stays the same.
 *
 * @param scenario the trouble it has
 * @param seed of the life
 * @param steps how many actions there were before any was left out
 */
public record Plan(Scenario scenario, long seed, int steps, List<Action> actions) {
  public Plan {
    actions = List.copyOf(actions);
  }

  /** The whole plan of a seed. */
  public static Plan of(Scenario scenario, long seed, int steps) {
    SplittableRandom random = new SplittableRandom(seed * 0x9E3779B97F4A7C15L + 17);
    int total = scenario.weight();
    List<Action> actions = new ArrayList<>(steps);
    long atMillis = 3_000;
    for (int index = 0; index < steps; index++) {
      Ingredient next = scenario.drawn(random.nextInt(total));
      atMillis += next.kind() == ActionKind.QUIET ? random.nextLong(30_000) : random.nextLong(300);
      actions.add(next.drawn(index, atMillis, random));
    }
    return new Plan(scenario, seed, steps, actions);
  }

  /** The same life with only these of its actions. */
  public Plan only(Collection<Integer> indices) {
    return new Plan(
        scenario,
        seed,
        steps,
        actions.stream().filter(one -> indices.contains(one.index())).toList());
  }

  /** The same life with only so many of its actions. */
  public Plan first(int count) {
    return new Plan(scenario, seed, steps, actions.subList(0, count));
  }

  /** When the last action of the whole plan is over, so that leaving some out moves nothing. */
  public long endMillis() {
    return actions.isEmpty() ? 0 : actions.get(actions.size() - 1).atMillis();
  }
}
