package io.turnkeeper.simulation.world;

import java.util.Comparator;
import java.util.PriorityQueue;

/** Virtual time: runs what is due, in order, and stands still otherwise. */
public final class VirtualClock {
  /** The wall clock when a life begins. */
  public static final long START_MILLIS = 1_800_000_000_000L;

  private record Due(long atMillis, long order, Runnable action) {}

  private final PriorityQueue<Due> queue =
      new PriorityQueue<>(Comparator.comparingLong(Due::atMillis).thenComparingLong(Due::order));
  private long nowMillis = START_MILLIS;
  private long order;

  public long nowMillis() {
    return nowMillis;
  }

  /** Milliseconds since the life began. */
  public long ageMillis() {
    return nowMillis - START_MILLIS;
  }

  public void after(long millis, Runnable action) {
    at(nowMillis + Math.max(0, millis), action);
  }

  public void at(long atMillis, Runnable action) {
    queue.add(new Due(Math.max(atMillis, nowMillis), order++, action));
  }

  /** Runs the next action; false if there is none up to {@code untilMillis}. */
  public boolean step(long untilMillis) {
    Due next = queue.peek();
    if (next == null || next.atMillis() > untilMillis) {
      nowMillis = Math.max(nowMillis, untilMillis);
      return false;
    }
    queue.remove();
    nowMillis = next.atMillis();
    next.action().run();
    return true;
  }
}
