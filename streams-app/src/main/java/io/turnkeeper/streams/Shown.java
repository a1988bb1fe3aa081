package io.turnkeeper.streams;

import io.turnkeeper.core.partition.PartitionState;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What readers have been shown, so that they see news at once and all else within a second. */
final class Shown {
  private static final long INTERVAL_MILLIS = 1_000;
  private static final int MAX_AT_ONCE = 200;

  private final Map<String, Long> shownMillis = new HashMap<>();
  private final Set<String> waiting = new LinkedHashSet<>();
  private long nextMillis;
  private long nextPartitionMillis;
  private long shownSequence;

  /** What an earlier task of this partition did not get round to show is not known: all waits. */
  Shown(Collection<String> all) {
    waiting.addAll(all);
  }

  /** Whether a state that changed is shown now; if not, it waits for its time. */
  boolean isTime(String key, boolean isNews, long atMillis) {
    if (!isNews && atMillis - shownMillis.getOrDefault(key, 0L) < INTERVAL_MILLIS) {
      waiting.add(key);
      return false;
    }
    waiting.remove(key);
    shownMillis.put(key, atMillis);
    return true;
  }

  /** Takes out what waits, some at a time, the longest first. */
  List<String> takeWaiting(long nowMillis) {
    if (nowMillis < nextMillis) {
      return List.of();
    }
    List<String> taken = waiting.stream().limit(MAX_AT_ONCE).toList();
    waiting.removeAll(Set.copyOf(taken));
    taken.forEach(key -> shownMillis.put(key, nowMillis));
    if (waiting.isEmpty()) {
      nextMillis = nowMillis + INTERVAL_MILLIS;
    }
    return taken;
  }

  /** When there is something to show again, {@link Long#MAX_VALUE} for not before something new. */
  long nextMillis(PartitionState partition) {
    if (!waiting.isEmpty()) {
      return nextMillis;
    }
    return partition.sequence() == shownSequence ? Long.MAX_VALUE : nextPartitionMillis;
  }

  /** The partition's own state is shown only when every table has been shown as it is now. */
  boolean isTimeForPartition(PartitionState partition, long nowMillis) {
    if (!waiting.isEmpty()
        || partition.sequence() == shownSequence
        || nowMillis < nextPartitionMillis) {
      return false;
    }
    shownSequence = partition.sequence();
    nextPartitionMillis = nowMillis + INTERVAL_MILLIS;
    return true;
  }
}
