package io.turnkeeper.core.partition;

import java.util.ArrayList;
import java.util.List;
import java.util.NavigableSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** When each subject wants to be looked at; strictly derived, rebuilt when a task starts. */
public final class DueTimes {
  private final DueHeap heap = new DueHeap();
  private final NavigableSet<String> keys = new TreeSet<>();

  /** Where the sweep over everybody goes on; null if none is under way. */
  private @Nullable String sweptTo;

  /** {@link Long#MAX_VALUE} means never. */
  public void set(String key, long atMillis) {
    if (heap.set(key, atMillis)) {
      keys.add(key);
    }
  }

  /** Everybody is due at that time, as when a task starts. */
  public void startOver(long atMillis) {
    sweptTo = null;
    keys.forEach(key -> heap.set(key, atMillis));
  }

  /** Everybody is due once, beginning anew if that was under way. */
  public void sweep() {
    sweptTo = "";
  }

  /** Whether anybody is due. */
  public boolean isDue(long atMillis) {
    return sweptTo != null || heap.firstDue(atMillis) != null;
  }

  /** From when on anybody is due, {@link Long#MAX_VALUE} for never; the past for at once. */
  public long nextMillis() {
    return sweptTo != null ? 0 : heap.firstMillis();
  }

  /** Takes out those that are due, the longest due first, then swept ones, {@code most} in all. */
  public List<String> takeDue(long atMillis, int most) {
    List<String> taken = new ArrayList<>();
    String first = heap.firstDue(atMillis);
    while (taken.size() < most && first != null) {
      heap.set(first, Long.MAX_VALUE);
      taken.add(first);
      first = heap.firstDue(atMillis);
    }
    while (taken.size() < most && sweptTo != null) {
      sweptTo = keys.higher(sweptTo);
      if (sweptTo != null) {
        taken.add(sweptTo);
      }
    }
    return taken;
  }
}
