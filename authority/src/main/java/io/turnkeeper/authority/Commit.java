package io.turnkeeper.authority;

import io.turnkeeper.core.Require;
import io.turnkeeper.core.ShardId;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * One version to be made real.
 *
 * @param version must be the head's version + 1
 * @param manifest where it lies; its path must be unique to this commit, since it is by the path
 *     that a commit whose answer was lost knows its own record
 * @param mergedThrough the marks that this commit moves on, and only those; each must rise
 * @param last whether the turn is given back with it
 */
public record Commit(
    long version, Manifest manifest, SortedMap<ShardId, Long> mergedThrough, boolean last) {
  public Commit {
    Require.positive("version", version);
    mergedThrough = Collections.unmodifiableSortedMap(new TreeMap<>(mergedThrough));
  }
}
