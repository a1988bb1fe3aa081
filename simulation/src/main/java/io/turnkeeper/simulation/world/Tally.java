package io.turnkeeper.simulation.world;

import io.turnkeeper.core.Decision;
import java.util.HashMap;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** Counts what happened, by name. */
public final class Tally {
  private final Map<String, long[]> counts = new HashMap<>();
  private final Map<Class<?>, long[]> byType = new HashMap<>();

  public void count(String what) {
    add(what, 1);
  }

  /** Counts a thing by its type. */
  public void count(Object thing) {
    byType.computeIfAbsent(thing.getClass(), type -> new long[1])[0]++;
  }

  public void add(Tally other) {
    other.counts().forEach(this::add);
  }

  private void add(String what, long times) {
    counts.computeIfAbsent(what, key -> new long[1])[0] += times;
  }

  /** All counts; those by type under {@code event} or {@code decision} and the type's name. */
  public SortedMap<String, Long> counts() {
    SortedMap<String, Long> all = new TreeMap<>();
    counts.forEach((what, count) -> all.put(what, count[0]));
    byType.forEach(
        (type, count) ->
            all.put(
                (Decision.class.isAssignableFrom(type) ? "decision " : "event ")
                    + type.getSimpleName(),
                count[0]));
    return all;
  }
}
