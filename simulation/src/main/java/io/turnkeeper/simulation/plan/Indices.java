package io.turnkeeper.simulation.plan;

import java.util.Collection;
import java.util.SortedSet;
import java.util.StringJoiner;
import java.util.TreeSet;

/** Action numbers as people write them: {@code 3,17,40-45}. */
public final class Indices {
  private Indices() {}

  /**
   * Reads a list of numbers and ranges.
   *
   * @throws IllegalArgumentException if it is not one
   */
  public static SortedSet<Integer> parse(String text) {
    SortedSet<Integer> all = new TreeSet<>();
    for (String part : text.split(",", -1)) {
      String[] ends = part.trim().split("-", 2);
      try {
        int first = Integer.parseInt(ends[0]);
        int last = ends.length == 1 ? first : Integer.parseInt(ends[1]);
        for (int one = first; one <= last; one++) {
          all.add(one);
        }
      } catch (NumberFormatException e) {
        throw new IllegalArgumentException(
            "expected numbers and ranges like 3,17,40-45, but it is '" + text + "'", e);
      }
    }
    return all;
  }

  /** The shortest way to write them. */
  public static String format(Collection<Integer> indices) {
    StringJoiner text = new StringJoiner(",");
    int first = -1;
    int last = -1;
    for (int one : new TreeSet<>(indices)) {
      if (first >= 0 && one == last + 1) {
        last = one;
        continue;
      }
      add(text, first, last);
      first = one;
      last = one;
    }
    add(text, first, last);
    return text.toString();
  }

  private static void add(StringJoiner text, int first, int last) {
    if (first >= 0) {
      text.add(first == last ? Integer.toString(first) : first + "-" + last);
    }
  }
}
