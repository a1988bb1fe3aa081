package io.turnkeeper.streams.audit;

import java.util.ArrayList;
import java.util.List;

/** What a check found, some of it in words, all of it counted. */
final class Problems {
  private static final int MAX_TOLD = 100;

  private final List<String> told = new ArrayList<>();
  private long count;

  void add(String where, String what) {
    count++;
    if (told.size() < MAX_TOLD) {
      told.add(where + ": " + what);
    }
  }

  /** The first hundred. */
  List<String> told() {
    return List.copyOf(told);
  }

  long count() {
    return count;
  }
}
