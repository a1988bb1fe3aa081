package io.turnkeeper.local.story;

import io.turnkeeper.core.table.DemandEvent.TableObserved;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/**
 * What a chronicle had to tell at one moment.
 *
 * @param turnOfVersion which turn the journal says each version was committed under
 * @param observed the newest observation, null if there was none
 * @param newestVersion the newest version the journal knows of
 * @param recentDecisions the last decisions with their reasons
 */
public record Telling(
    List<UnitStory> units,
    List<TurnStory> turns,
    SortedMap<String, Long> sealedThrough,
    SortedMap<String, Long> mergedThrough,
    SortedMap<Long, Long> turnOfVersion,
    @Nullable TableObserved observed,
    long newestVersion,
    List<String> recentDecisions) {

  /** Sealed generations that are not in the table yet. */
  public long pendingGenerations() {
    long pending = 0;
    for (Map.Entry<String, Long> shard : sealedThrough.entrySet()) {
      pending += Math.max(0, shard.getValue() - mergedThrough.getOrDefault(shard.getKey(), 0L));
    }
    return pending;
  }

  public long mergedGenerations() {
    return mergedThrough.values().stream().mapToLong(Long::longValue).sum();
  }

  public Optional<TurnStory> openTurn() {
    return turns.stream().filter(turn -> turn.wasGranted() && turn.isOpen()).findFirst();
  }

  public List<UnitStory> liveUnits() {
    return units.stream().filter(UnitStory::isLive).toList();
  }
}
