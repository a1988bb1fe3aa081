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
  /** Hears how far the search is. */
  public interface Listener {
    void tried(int tries, int mostTries, int actionsLeft);
  }

  private final Predicate<Plan> fails;
  private final int mostTries;
  private final Listener listener;
  private int tries;

  /**
   * A shrinker for one failure.
   *
   * @param fails whether a plan fails in the same way
   * @param mostTries how many plans are tried at most
   */
  public Shrinker(Predicate<Plan> fails, int mostTries, Listener listener) {
    this.fails = fails;
    this.mostTries = mostTries;
    this.listener = listener;
  }

  /** The smallest part of {@code whole} that was found to fail. */
  public Plan shrunk(Plan whole) {
    List<Integer> kept = new ArrayList<>(whole.actions().stream().map(Action::index).toList());
    int chunk = Math.max(1, kept.size() / 2);
    while (tries < mostTries) {
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
    for (int to = kept.size(); to > 0 && tries < mostTries; to -= chunk) {
      int from = Math.max(0, to - chunk);
      Set<Integer> rest = new HashSet<>(kept);
      kept.subList(from, to).forEach(rest::remove);
      tries++;
      if (fails.test(whole.only(rest))) {
        kept.subList(from, to).clear();
        smaller = true;
      }
      listener.tried(tries, mostTries, kept.size());
    }
    return smaller;
  }
}
