package io.turnkeeper.streams;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/** When each subject wants to be looked at; strictly derived, rebuilt when a task starts. */
final class DueTimes {
  private record Due(long atMillis, String key) {}

  private final TreeSet<Due> ordered =
      new TreeSet<>(Comparator.comparingLong(Due::atMillis).thenComparing(Due::key));
  private final Map<String, Long> byKey = new HashMap<>();

  /** {@link Long#MAX_VALUE} means never. */
  void set(String key, long atMillis) {
    Long known = byKey.put(key, atMillis);
    if (known != null) {
      ordered.remove(new Due(known, key));
    }
    if (atMillis != Long.MAX_VALUE) {
      ordered.add(new Due(atMillis, key));
    }
  }

  /** Everybody is due at that time. */
  void setAll(long atMillis) {
    List.copyOf(byKey.keySet()).forEach(key -> set(key, atMillis));
  }

  boolean isDue(long atMillis) {
    return !ordered.isEmpty() && ordered.first().atMillis() <= atMillis;
  }

  /** Takes out those that are due, the longest due first, at most {@code most}. */
  List<String> takeDue(long atMillis, int most) {
    List<String> taken = new ArrayList<>();
    while (taken.size() < most && isDue(atMillis)) {
      String key = ordered.first().key();
      set(key, Long.MAX_VALUE);
      taken.add(key);
    }
    return taken;
  }
}
