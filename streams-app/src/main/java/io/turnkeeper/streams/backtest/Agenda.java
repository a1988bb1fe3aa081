package io.turnkeeper.streams.backtest;

import java.util.Comparator;
import java.util.PriorityQueue;

/** What is still to come, in the order of time and then of planning. */
final class Agenda {
  private record Item(long atMillis, long order, Runnable action) {}

  private final PriorityQueue<Item> items =
      new PriorityQueue<>(Comparator.comparingLong(Item::atMillis).thenComparingLong(Item::order));
  private long order;

  void at(long millis, Runnable action) {
    items.add(new Item(millis, order++, action));
  }

  /** When the next thing comes, {@link Long#MAX_VALUE} if nothing does. */
  long nextMillis() {
    Item next = items.peek();
    return next == null ? Long.MAX_VALUE : next.atMillis();
  }

  void runNext() {
    items.remove().action().run();
  }
}
