package io.turnkeeper.simulation.world;

import io.turnkeeper.core.Decision;
import java.util.HashMap;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** Counts what happened, by name. */
public final class Tally {
  private final SortedMap<String, Long> counts = new TreeMap<>();
  private final Map<Class<?>, long[]> byType = new HashMap<>();

  public void count(String what) {
    counts.merge(what, 1L, Long::sum);
  }

  /** Counts a thing by its type. */
  public void count(Object thing) {
    byType.computeIfAbsent(thing.getClass(), type -> new long[1])[0]++;
  }

  public void add(Tally other) {
    other.counts().forEach((what, count) -> counts.merge(what, count, Long::sum));
  }

  /** All counts; those by type under {@code event} or {@code decision} and the type's name. */
  public SortedMap<String, Long> counts() {
    SortedMap<String, Long> all = new TreeMap<>(counts);
    byType.forEach(
        (type, count) ->
            all.put(
                (Decision.class.isAssignableFrom(type) ? "decision " : "event ")
                    + type.getSimpleName(),
                count[0]));
    return all;
  }
}
