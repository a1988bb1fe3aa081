package io.turnkeeper.simulation.plan;

import java.util.Collection;
import java.util.SortedSet;
import java.util.StringJoiner;
import java.util.TreeSet;
import java.util.regex.Pattern;

/** Action numbers as people write them: {@code 3,17,40-45}. */
public final class Indices {
  private static final Pattern NUMBER = Pattern.compile("[0-9]+");

  private Indices() {}

  /**
   * Reads a list of numbers and ranges that rise, each of a number below {@code limit}.
   *
   * @throws IllegalArgumentException if it is not one, naming the part that is wrong
   */
  public static SortedSet<Integer> parse(String text, int limit) {
    SortedSet<Integer> all = new TreeSet<>();
    for (String part : text.split(",", -1)) {
      String[] ends = part.strip().split("-", 2);
      int first = number(ends[0], part, limit);
      int last = ends.length == 1 ? first : number(ends[1], part, limit);
      if (last < first) {
        throw wrong("ranges that rise", part);
      }
      for (int one = first; one <= last; one++) {
        all.add(one);
      }
    }
    return all;
  }

  private static int number(String text, String part, int limit) {
    if (!NUMBER.matcher(text).matches()) {
      throw wrong("numbers and ranges like 3,17,40-45", part);
    }
    try {
      int number = Integer.parseInt(text);
      if (number < limit) {
        return number;
      }
    } catch (NumberFormatException e) {
      throw (IllegalArgumentException) wrong("numbers below " + limit, part).initCause(e);
    }
    throw wrong("numbers below " + limit, part);
  }

  private static IllegalArgumentException wrong(String expected, String part) {
    return new IllegalArgumentException("expected " + expected + ", but there is '" + part + "'");
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
