package io.turnkeeper.local.demo;

import io.turnkeeper.core.table.DemandEvent.IndexObserved;
import io.turnkeeper.core.table.DemandEvent.TableObserved;
import io.turnkeeper.local.story.Chronicle;
import io.turnkeeper.local.story.Telling;
import java.time.Duration;
import java.util.Map;
import java.util.function.Predicate;

/** Waits until the journal says that a table has nothing left to do. */
final class Drain {
  private static final long PAUSE_MILLIS = 100;

  /** A unit that follows from the last one is opened well within this time. */
  private static final Duration QUIET = Duration.ofMillis(1_500);

  private final Chronicle chronicle;

  Drain(Chronicle chronicle) {
    this.chronicle = chronicle;
  }

  /** Waits until all that was sealed is in the table. */
  void awaitMerged(Map<String, Long> sealed, Duration limit) throws InterruptedException {
    await(telling -> isMerged(telling, sealed), Duration.ZERO, limit, "all generations merged");
  }

  /** Waits until, besides, no unit lives and neither compaction nor index is due. */
  void awaitNothingLeft(Map<String, Long> sealed, Duration limit) throws InterruptedException {
    await(
        telling -> isMerged(telling, sealed) && telling.liveUnits().isEmpty() && isInShape(telling),
        QUIET,
        limit,
        "all generations merged, no live unit and an index that covers the table");
  }

  private static boolean isMerged(Telling telling, Map<String, Long> sealed) {
    return sealed.entrySet().stream()
        .allMatch(
            shard -> telling.mergedThrough().getOrDefault(shard.getKey(), 0L) >= shard.getValue());
  }

  private static boolean isInShape(Telling telling) {
    TableObserved observed = telling.observed();
    return observed != null
        && observed.smallFragments() < DemoPolicies.MIN_FRAGMENTS
        && isCovered(telling);
  }

  /** Whether the newest version was looked at and the index leaves no fragment out. */
  static boolean isCovered(Telling telling) {
    TableObserved observed = telling.observed();
    return observed != null
        && observed.version() >= telling.newestVersion()
        && observed.indexes().stream()
            .filter(index -> index.name().equals(DemoPolicies.INDEX))
            .map(IndexObserved::uncoveredFragments)
            .anyMatch(uncovered -> uncovered == 0);
  }

  void await(Predicate<Telling> condition, Duration quiet, Duration limit, String expected)
      throws InterruptedException {
    long deadline = System.nanoTime() + limit.toNanos();
    long since = 0;
    while (true) {
      Telling telling = chronicle.tell();
      long now = System.nanoTime();
      if (!condition.test(telling)) {
        since = 0;
      } else if (since == 0) {
        since = now;
      }
      if (since != 0 && now - since >= quiet.toNanos()) {
        return;
      }
      if (now > deadline) {
        throw new IllegalStateException(
            "expected "
                + expected
                + " within "
                + limit.toSeconds()
                + " s, but "
                + telling.pendingGenerations()
                + " generations are pending, live are "
                + telling.liveUnits().stream().map(unit -> unit.kind() + "#" + unit.unit()).toList()
                + " and the last observation is "
                + telling.observed());
      }
      Thread.sleep(PAUSE_MILLIS);
    }
  }
}
