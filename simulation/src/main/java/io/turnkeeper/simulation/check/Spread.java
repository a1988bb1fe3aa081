package io.turnkeeper.simulation.check;

import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** How long something took, many times: the usual and the worst, in tenths of a second. */
final class Spread {
  private static final long TENTH_MILLIS = 100;

  private final SortedMap<Long, Long> timesByTenth = new TreeMap<>();
  private long count;

  void add(long millis) {
    timesByTenth.merge(millis / TENTH_MILLIS, 1L, Long::sum);
    count++;
  }

  void add(Spread other) {
    other.timesByTenth.forEach((tenth, times) -> timesByTenth.merge(tenth, times, Long::sum));
    count += other.count;
  }

  long count() {
    return count;
  }

  double medianSeconds() {
    long left = (count + 1) / 2;
    for (Map.Entry<Long, Long> each : timesByTenth.entrySet()) {
      left -= each.getValue();
      if (left <= 0) {
        return each.getKey() / 10.0;
      }
    }
    return 0;
  }

  double worstSeconds() {
    return timesByTenth.isEmpty() ? 0 : timesByTenth.lastKey() / 10.0;
  }
}
