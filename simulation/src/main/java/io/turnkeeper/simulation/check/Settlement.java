package io.turnkeeper.simulation.check;

import io.turnkeeper.simulation.world.Violation;
import java.util.Map;
import java.util.SortedMap;

/** What began in a life that is at rest has ended, by the counts of what was recorded. */
public final class Settlement {
  private Settlement() {}

  /** Compares the counts of what began with those of the ways it ended. */
  public static void check(SortedMap<String, Long> counts) {
    compare(counts, "turn granted", "turn ended: ");
    compare(counts, "decision OpenUnit", "unit ended: ");
  }

  private static void compare(SortedMap<String, Long> counts, String begun, String ended) {
    long before = counts.getOrDefault(begun, 0L);
    long after =
        counts.tailMap(ended).entrySet().stream()
            .takeWhile(one -> one.getKey().startsWith(ended))
            .mapToLong(Map.Entry::getValue)
            .sum();
    Violation.unless(
        before == after,
        "10: everything that began has ended",
        () -> begun + " " + before + " times, but " + ended + after);
  }
}
