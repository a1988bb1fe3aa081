package io.turnkeeper.streams.backtest;

import java.util.Arrays;

/** What one kind of work waited for and was given. */
final class KindFigures {
  private static final int FIRST_ROOM = 64;

  private final long[] open;
  private long[] waits = new long[FIRST_ROOM];
  private int turns;
  private long longestReadyMillis;
  private long longestUnservedMillis;
  private long unserved;
  private long promotions;

  KindFigures(int points) {
    open = new long[points];
  }

  void granted(long waitedMillis) {
    if (turns == waits.length) {
      waits = Arrays.copyOf(waits, 2 * turns);
    }
    waits[turns++] = waitedMillis;
    ready(waitedMillis);
  }

  void ready(long millis) {
    longestReadyMillis = Math.max(longestReadyMillis, millis);
  }

  void unserved(long millis) {
    longestUnservedMillis = Math.max(longestUnservedMillis, millis);
  }

  void leftUnserved() {
    unserved++;
  }

  void promoted() {
    promotions++;
  }

  void open(int point, long units) {
    open[point] += units;
  }

  /** Turns that were granted. */
  long turns() {
    return turns;
  }

  /** How long the given share of the granted turns was waited for at most; 0 without turns. */
  long waitMillis(double share) {
    long[] sorted = Arrays.copyOf(waits, turns);
    Arrays.sort(sorted);
    return turns == 0 ? 0 : sorted[Math.max(0, (int) Math.ceil(share * turns) - 1)];
  }

  /** The longest that a unit was ready without a turn, whether it got one in the end or not. */
  long longestReadyMillis() {
    return longestReadyMillis;
  }

  /** The longest from a unit's request to its first turn; for a look, to its end. */
  long longestUnservedMillis() {
    return longestUnservedMillis;
  }

  /** Units that had had no turn when the time was over. */
  long unserved() {
    return unserved;
  }

  /** Units that waited so long that they were promoted. */
  long promotions() {
    return promotions;
  }

  /** The live units at each point of time. */
  long[] open() {
    return open.clone();
  }
}
