package io.turnkeeper.simulation.plan;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Finds a small part of a plan that still fails, by trying one of some parts alone, then all but
 * one of them, then smaller parts (delta debugging). Unless it runs out of work to do, no single
 * action can be left out in the end.
 */
public final class Shrinker {
  /** What a life costs before its first action, in actions. */
  private static final int LIFE_ACTIONS = 200;

  /** Hears how far the search is. */
  public interface Listener {
    void tried(int actionsTried, int mostActions, int actionsLeft);
  }

  private final Predicate<Plan> fails;
  private final int mostActions;
  private final Listener listener;
  private int actionsTried;

  /**
   * A shrinker for one failure.
   *
   * @param fails whether a plan fails in the same way
   * @param mostActions how many actions are lived through at most, in all that is tried; a bound on
   *     the time that is the same everywhere
   */
  public Shrinker(Predicate<Plan> fails, int mostActions, Listener listener) {
    this.fails = fails;
    this.mostActions = mostActions;
    this.listener = listener;
  }

  /** The smallest part of {@code whole} that was found to fail. */
  public Plan shrunk(Plan whole) {
    List<Integer> kept = new ArrayList<>(whole.actions().stream().map(Action::index).toList());
    int parts = 2;
    while (!kept.isEmpty() && actionsTried < mostActions) {
      parts = Math.min(parts, kept.size());
      List<Integer> alone = onePart(whole, kept, parts);
      if (alone != null) {
        kept = alone;
        parts = 2;
      } else if (leaveOut(whole, kept, parts)) {
        parts = Math.max(2, parts / 2);
      } else if (parts == kept.size()) {
        break;
      } else {
        parts *= 2;
      }
    }
    return whole.only(kept);
  }

  /** The first of so many parts that fails by itself; null if none does. */
  private @Nullable List<Integer> onePart(Plan whole, List<Integer> kept, int parts) {
    for (int part = 0; parts > 1 && part < parts; part++) {
      List<Integer> alone = List.copyOf(part(kept, part, parts));
      if (fails(whole, alone, kept.size())) {
        return new ArrayList<>(alone);
      }
    }
    return null;
  }

  /** Does without each of so many parts that it can do without, the last first. */
  private boolean leaveOut(Plan whole, List<Integer> kept, int parts) {
    List<Integer> before = List.copyOf(kept);
    for (int part = parts - 1; part >= 0; part--) {
      List<Integer> rest = new ArrayList<>(kept);
      rest.removeAll(new HashSet<>(part(before, part, parts)));
      if (fails(whole, rest, kept.size())) {
        kept.clear();
        kept.addAll(rest);
      }
    }
    return kept.size() < before.size();
  }

  private static List<Integer> part(List<Integer> all, int part, int parts) {
    long size = all.size();
    return all.subList((int) (size * part / parts), (int) (size * (part + 1) / parts));
  }

  private boolean fails(Plan whole, List<Integer> some, int left) {
    if (actionsTried >= mostActions) {
      return false;
    }
    actionsTried += LIFE_ACTIONS + some.size();
    boolean fails = this.fails.test(whole.only(new HashSet<>(some)));
    listener.tried(actionsTried, mostActions, fails ? some.size() : left);
    return fails;
  }
}
