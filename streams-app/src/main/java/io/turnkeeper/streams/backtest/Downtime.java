package io.turnkeeper.streams.backtest;

import java.util.Map;
import java.util.TreeMap;

/** When nobody ran a partition: what came then was taken when somebody did again. */
final class Downtime {
  /** A task that runs writes an entry every ten seconds at least. */
  private static final long MAX_PAUSE_MILLIS = 30_000;

  private final TreeMap<Long, Long> endByBegin = new TreeMap<>();
  private long lastMillis = Long.MIN_VALUE;

  /** The next recorded entry. */
  void entry(long atMillis) {
    if (lastMillis == Long.MIN_VALUE || atMillis - lastMillis > MAX_PAUSE_MILLIS) {
      endByBegin.put(lastMillis, atMillis);
    }
    lastMillis = atMillis;
  }

  /** That time, or when the partition runs again if it did not then. */
  long up(long atMillis) {
    Map.Entry<Long, Long> last = endByBegin.lowerEntry(atMillis);
    return last == null ? atMillis : Math.max(atMillis, last.getValue());
  }
}
