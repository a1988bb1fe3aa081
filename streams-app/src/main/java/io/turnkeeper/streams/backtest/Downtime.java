package io.turnkeeper.streams.backtest;

import io.turnkeeper.core.Event;
import io.turnkeeper.core.partition.JournalEntry;
import io.turnkeeper.core.partition.PartitionEvent;
import java.util.Map;
import java.util.TreeMap;

/** When nobody ran a partition: what came then was taken when somebody did again. */
final class Downtime {
  /** A start after a shorter pause is no time worth speaking of. */
  private static final long MIN_MILLIS = 30_000;

  private final TreeMap<Long, Long> endByBegin = new TreeMap<>();
  private long lastMillis = Long.MIN_VALUE;

  /**
   * The next recorded entry. When the task before a start ended is not recorded, so it is taken to
   * have been with its last entry, {@link PartitionEvent.Tick#MAX_APART_MILLIS} too early at most.
   */
  void entry(JournalEntry entry) {
    long at = entry.atMillis();
    boolean first = lastMillis == Long.MIN_VALUE;
    if (first || (isStart(entry.event()) && at - lastMillis > MIN_MILLIS)) {
      endByBegin.put(lastMillis, at);
    }
    lastMillis = at;
  }

  private static boolean isStart(Event event) {
    return event instanceof PartitionEvent.ClockGap
        || event instanceof PartitionEvent.SettingsApplied;
  }

  /** That time, or when the partition runs again if it did not then. */
  long up(long atMillis) {
    Map.Entry<Long, Long> last = endByBegin.lowerEntry(atMillis);
    return last == null ? atMillis : Math.max(atMillis, last.getValue());
  }
}
