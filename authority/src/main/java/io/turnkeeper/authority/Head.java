package io.turnkeeper.authority;

import io.turnkeeper.core.Require;
import io.turnkeeper.core.ShardId;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What the authority knows of a table: its newest version, and who made it.
 *
 * @param tableIncarnation rises each time the id is registered anew
 * @param uri the canonical place of the table
 * @param version the newest committed version
 * @param turn the turn it was committed under, 0 if it was adopted at registration
 * @param unit the sequence of the unit that committed it, 0 if adopted
 * @param unitAttempt that unit's attempt, 0 if adopted
 * @param manifest the manifest of {@code version}
 * @param mergedThrough per shard, the newest generation that is in the table
 * @param highestTurn the highest turn ever taken; no lower one can commit any more
 */
public record Head(
    long tableIncarnation,
    String uri,
    long version,
    long turn,
    long unit,
    int unitAttempt,
    Manifest manifest,
    SortedMap<ShardId, Long> mergedThrough,
    long highestTurn) {
  public Head {
    Require.positive("tableIncarnation", tableIncarnation);
    Require.text("uri", uri);
    Require.positive("version", version);
    Require.count("turn", turn);
    Require.count("unit", unit);
    Require.count("unitAttempt", unitAttempt);
    Require.count("highestTurn", highestTurn);
    mergedThrough = Collections.unmodifiableSortedMap(new TreeMap<>(mergedThrough));
    mergedThrough.forEach((shard, mark) -> Require.count("mergedThrough of " + shard, mark));
  }

  /** The newest generation of {@code shard} that is in the table, 0 if there is none. */
  public long mergedThrough(ShardId shard) {
    return mergedThrough.getOrDefault(shard, 0L);
  }

  /** The head once {@code taken} is the highest turn. */
  public Head withHighestTurn(long taken) {
    return new Head(
        tableIncarnation, uri, version, turn, unit, unitAttempt, manifest, mergedThrough, taken);
  }
}
