package io.turnkeeper.core.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.turnkeeper.core.ShardId;
import io.turnkeeper.core.UnitId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** The fenced authority of one table, and an honest account of what was committed. */
final class SimAuthority {
  /** One committed version. */
  record Version(long version, long turn, UnitId unit, int attempt) {}

  private final List<Version> versions = new ArrayList<>();
  private final SortedMap<ShardId, Long> merged = new TreeMap<>();
  private final Map<ShardId, Long> generationsAdded = new HashMap<>();
  private long highestTurn;
  private long holder;

  boolean take(long turn) {
    if (turn <= highestTurn) {
      return false;
    }
    highestTurn = turn;
    holder = turn;
    return true;
  }

  /** Commits if the turn is still held; {@code ranges} are what a merge adds. */
  boolean commit(long turn, UnitId unit, int attempt, SortedMap<ShardId, Long> mergedThrough) {
    if (holder != turn) {
      return false;
    }
    mergedThrough.forEach(
        (shard, through) -> {
          long before = merged.getOrDefault(shard, 0L);
          assertThat(through).as("merged mark of " + shard).isGreaterThan(before);
          generationsAdded.merge(shard, through - before, Long::sum);
          merged.put(shard, through);
        });
    versions.add(new Version(version() + 1, turn, unit, attempt));
    holder = 0;
    return true;
  }

  void release(long turn) {
    if (holder == turn) {
      holder = 0;
    }
  }

  long version() {
    return versions.isEmpty() ? 1 : versions.get(versions.size() - 1).version();
  }

  long highestTurn() {
    return highestTurn;
  }

  SortedMap<ShardId, Long> merged() {
    return new TreeMap<>(merged);
  }

  long mergedThrough(ShardId shard) {
    return merged.getOrDefault(shard, 0L);
  }

  long generationsAdded(ShardId shard) {
    return generationsAdded.getOrDefault(shard, 0L);
  }

  List<Version> versions() {
    return versions;
  }
}
