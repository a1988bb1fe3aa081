package io.turnkeeper.core.partition;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** When each subject wants to be looked at; strictly derived, rebuilt when a task starts. */
public final class DueTimes {
  private record Due(long atMillis, String key) {}

  private final TreeSet<Due> ordered =
      new TreeSet<>(Comparator.comparingLong(Due::atMillis).thenComparing(Due::key));
  private final NavigableMap<String, Long> byKey = new TreeMap<>();

  /** Where the sweep over everybody goes on; null if none is under way. */
  private @Nullable String sweptTo;

  /** {@link Long#MAX_VALUE} means never. */
  public void set(String key, long atMillis) {
    Long known = byKey.put(key, atMillis);
    if (known != null) {
      ordered.remove(new Due(known, key));
    }
    if (atMillis != Long.MAX_VALUE) {
      ordered.add(new Due(atMillis, key));
    }
  }

  /** Everybody is due at that time, as when a task starts. */
  public void startOver(long atMillis) {
    sweptTo = null;
    List.copyOf(byKey.keySet()).forEach(key -> set(key, atMillis));
  }

  /** Everybody is due once, beginning anew if that was under way. */
  public void sweep() {
    sweptTo = "";
  }

  /** Whether anybody is due. */
  public boolean isDue(long atMillis) {
    return sweptTo != null || isTimeUp(atMillis);
  }

  private boolean isTimeUp(long atMillis) {
    return !ordered.isEmpty() && ordered.first().atMillis() <= atMillis;
  }

  /** Takes out those that are due, the longest due first, then swept ones, {@code most} in all. */
  public List<String> takeDue(long atMillis, int most) {
    List<String> taken = new ArrayList<>();
    while (taken.size() < most && isTimeUp(atMillis)) {
      String key = ordered.first().key();
      set(key, Long.MAX_VALUE);
      taken.add(key);
    }
    while (taken.size() < most && sweptTo != null) {
      sweptTo = byKey.higherKey(sweptTo);
      if (sweptTo != null) {
        taken.add(sweptTo);
      }
    }
    return taken;
  }
}
