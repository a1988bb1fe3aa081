package io.turnkeeper.authority;

import io.turnkeeper.core.Require;
import io.turnkeeper.core.ShardId;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * One version to be made real.
 *
 * @param version must be the head's version + 1, or above it if {@code accepted}
 * @param manifest where it lies; its path must be unique to this commit, since it is by the path
 *     that a commit whose answer was lost knows its own record
 * @param mergedThrough the marks that this commit moves on, and only those; each must rise
 * @param last whether the turn is given back with it
 * @param accepted whether somebody made the version around the turns, and an operator goes on from
 *     it; no unit made it then
 */
public record Commit(
    long version,
    Manifest manifest,
    SortedMap<ShardId, Long> mergedThrough,
    boolean last,
    boolean accepted) {
  public Commit {
    Require.positive("version", version);
    mergedThrough = Collections.unmodifiableSortedMap(new TreeMap<>(mergedThrough));
  }

  public Commit(
      long version, Manifest manifest, SortedMap<ShardId, Long> mergedThrough, boolean last) {
    this(version, manifest, mergedThrough, last, false);
  }

  /** Goes on from {@code version}, which somebody made around the turns. */
  public static Commit accepting(long version, Manifest manifest) {
    return new Commit(version, manifest, new TreeMap<>(), true, true);
  }
}
