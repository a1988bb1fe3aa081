package io.turnkeeper.streams.backtest;

import io.turnkeeper.core.partition.JournalEntry;
import io.turnkeeper.events.InvalidRecordException;
import io.turnkeeper.events.JournalStep;
import io.turnkeeper.streams.ConfigException;
import io.turnkeeper.streams.History;
import java.io.IOException;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Which part of history is run again; times in milliseconds, both ends belong to it.
 *
 * @param poolsAreWhole whether the pools' journals reach back to their first entries
 */
record Span(long fromMillis, long untilMillis, boolean poolsAreWhole) {

  /** What one half of history says of itself. */
  private static final class Half {
    private final TreeMap<Integer, Long> firstSequences = new TreeMap<>();
    private final Map<Integer, JournalEntry> last = new HashMap<>();
    private @Nullable String broken;
    private long firstMillis = Long.MAX_VALUE;
    private long lastMillis = Long.MIN_VALUE;

    private void take(JournalStep step) {
      JournalEntry before = last.put(step.partition(), step.entry());
      if (before != null && broken == null && !follows(step.entry(), before)) {
        broken = "partition " + step.partition() + " has " + step.entry() + " after " + before;
      }
      firstSequences.putIfAbsent(step.partition(), step.entry().sequence());
      firstMillis = Math.min(firstMillis, step.entry().atMillis());
      lastMillis = Math.max(lastMillis, step.entry().atMillis());
    }

    private static boolean follows(JournalEntry entry, JournalEntry before) {
      return entry.sequence() == before.sequence() + 1 && entry.atMillis() >= before.atMillis();
    }

    private void requireUnbroken(String half) throws ConfigException {
      if (broken != null) {
        throw new ConfigException(
            "HISTORY_BROKEN: expected each entry of the "
                + half
                + " to follow the one before it, but "
                + broken
                + "; 'check' says more");
      }
    }

    private boolean isWhole() {
      return firstSequences.values().stream().allMatch(first -> first == 1);
    }
  }

  /**
   * Finds the span that is asked for.
   *
   * @throws ConfigException if history has nothing there, or its beginning is gone
   */
  static Span of(History history, BacktestOptions options)
      throws ConfigException, InvalidRecordException, IOException {
    Half tables = new Half();
    Half pools = new Half();
    history.tables(tables::take);
    history.pools(pools::take);
    tables.requireUnbroken("tables");
    pools.requireUnbroken("pools");
    if (!tables.isWhole()) {
      throw new ConfigException(
          "HISTORY_CUT: expected the tables' journals from their first entry on, but they begin"
              + " with entries "
              + tables.firstSequences);
    }
    // Without the beginning of its journal a pool is known from its first heartbeats on only.
    long earliest =
        pools.isWhole() ? tables.firstMillis : Math.max(tables.firstMillis, pools.firstMillis);
    Long from = options.fromMillis();
    Long until = options.untilMillis();
    long begin = from == null ? earliest : Math.max(from, earliest);
    long end = until == null ? tables.lastMillis : Math.min(until, tables.lastMillis);
    if (tables.firstSequences.isEmpty() || begin >= end) {
      throw new ConfigException(
          "EMPTY_RANGE: expected entries between "
              + time(from, "the beginning")
              + " and "
              + time(until, "the end")
              + ", but "
              + (tables.firstSequences.isEmpty()
                  ? "history has none"
                  : "history goes from "
                      + Instant.ofEpochMilli(earliest)
                      + " to "
                      + Instant.ofEpochMilli(tables.lastMillis)));
    }
    return new Span(begin, end, pools.isWhole());
  }

  private static String time(@Nullable Long millis, String otherwise) {
    return millis == null ? otherwise : Instant.ofEpochMilli(millis).toString();
  }
}
