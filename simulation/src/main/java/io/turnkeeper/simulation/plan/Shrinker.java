package io.turnkeeper.simulation.plan;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Finds a small part of a plan that still fails, by leaving out halves, quarters and so on (delta
 * debugging). In the end no single action can be left out.
 */
public final class Shrinker {
  private final Predicate<Plan> fails;
  private int triesLeft;

  /**
   * A shrinker for one failure.
   *
   * @param fails whether a plan fails in the same way
   * @param tries how many plans are tried at most
   */
  public Shrinker(Predicate<Plan> fails, int tries) {
    this.fails = fails;
    this.triesLeft = tries;
  }

  /** The smallest part of {@code whole} that was found to fail. */
  public Plan shrunk(Plan whole) {
    List<Integer> kept = new ArrayList<>(whole.actions().stream().map(Action::index).toList());
    int chunk = Math.max(1, kept.size() / 2);
    while (triesLeft > 0) {
      boolean smaller = leaveOut(whole, kept, chunk);
      if (chunk > 1) {
        chunk = (chunk + 1) / 2;
      } else if (!smaller) {
        break;
      }
    }
    return whole.only(kept);
  }

  /** Tries to do without each run of {@code chunk} actions, the last first. */
  private boolean leaveOut(Plan whole, List<Integer> kept, int chunk) {
    boolean smaller = false;
    for (int to = kept.size(); to > 0 && triesLeft > 0; to -= chunk) {
      int from = Math.max(0, to - chunk);
      Set<Integer> rest = new HashSet<>(kept);
      kept.subList(from, to).forEach(rest::remove);
      triesLeft--;
      if (fails.test(whole.only(rest))) {
        kept.subList(from, to).clear();
        smaller = true;
      }
    }
    return smaller;
  }
}
