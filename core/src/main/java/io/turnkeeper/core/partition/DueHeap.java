package io.turnkeeper.core.partition;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Keys in a heap by the time at which they are due: a changed time moves few of them. */
final class DueHeap {
  /** One key and where in the heap it is. */
  private static final class Due {
    private final String key;
    private long atMillis;
    private int place;

    private Due(String key, long atMillis, int place) {
      this.key = key;
      this.atMillis = atMillis;
      this.place = place;
    }

    private boolean isBefore(Due other) {
      return atMillis != other.atMillis ? atMillis < other.atMillis : key.compareTo(other.key) < 0;
    }
  }

  private final Map<String, Due> byKey = new HashMap<>();
  private final List<Due> heap = new ArrayList<>();

  /** Sets a key's time; whether the key is new. */
  boolean set(String key, long atMillis) {
    Due due = byKey.get(key);
    boolean isNew = due == null;
    if (due == null) {
      due = new Due(key, atMillis, heap.size());
      byKey.put(key, due);
      heap.add(due);
    }
    due.atMillis = atMillis;
    rise(due);
    sink(due);
    return isNew;
  }

  /** Who is due first, at that time at the latest; the lesser key among equals. */
  @Nullable String firstDue(long atMillis) {
    return heap.isEmpty() || heap.get(0).atMillis > atMillis ? null : heap.get(0).key;
  }

  /** When the first is due, {@link Long#MAX_VALUE} for never. */
  long firstMillis() {
    return heap.isEmpty() ? Long.MAX_VALUE : heap.get(0).atMillis;
  }

  private void rise(Due due) {
    while (due.place > 0 && due.isBefore(heap.get((due.place - 1) / 2))) {
      swap(due, heap.get((due.place - 1) / 2));
    }
  }

  private void sink(Due due) {
    Due least = leastChild(due);
    while (least != null && least.isBefore(due)) {
      swap(due, least);
      least = leastChild(due);
    }
  }

  private @Nullable Due leastChild(Due due) {
    int left = 2 * due.place + 1;
    if (left >= heap.size()) {
      return null;
    }
    Due one = heap.get(left);
    if (left + 1 == heap.size()) {
      return one;
    }
    Due other = heap.get(left + 1);
    return other.isBefore(one) ? other : one;
  }

  private void swap(Due one, Due other) {
    int place = one.place;
    put(one, other.place);
    put(other, place);
  }

  private void put(Due due, int place) {
    due.place = place;
    heap.set(place, due);
  }
}
