package io.turnkeeper.authority;

import io.turnkeeper.core.FailureCode;
import io.turnkeeper.core.ShardId;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** How one commit follows on a head; the same for every authority. */
public final class Heads {
  /** The largest head; the marks of its shards are what makes it grow. */
  public static final int MAX_BYTES = 256 * 1024;

  private Heads() {}

  /** The head that {@code commit} makes. */
  public static Head after(HeldTurn held, Commit commit) {
    Head before = held.head();
    SortedMap<ShardId, Long> marks = new TreeMap<>(before.mergedThrough());
    marks.putAll(commit.mergedThrough());
    return new Head(
        before.tableIncarnation(),
        before.uri(),
        commit.version(),
        held.turn(),
        commit.accepted() ? 0 : held.attempt().unit().sequence(),
        commit.accepted() ? 0 : held.attempt().number(),
        commit.manifest(),
        marks,
        before.highestTurn());
  }

  /**
   * Why the commit cannot follow on the head it builds on, if the turn is still held; null if it
   * can.
   *
   * @param nextBytes the size of the head it would make
   */
  public static CommitOutcome.@Nullable Fenced refusal(
      HeldTurn held, Commit commit, int nextBytes) {
    Head head = held.head();
    boolean follows =
        commit.accepted()
            ? commit.version() > head.version()
            : commit.version() == head.version() + 1;
    if (!follows) {
      return new CommitOutcome.Fenced(
          FailureCode.FORKED_HISTORY,
          "expected version %d of %s to follow, but %d was asked for: somebody committed around the turns"
              .formatted(head.version() + 1, held.table(), commit.version()),
          head);
    }
    for (Map.Entry<ShardId, Long> mark : commit.mergedThrough().entrySet()) {
      long before = head.mergedThrough(mark.getKey());
      if (mark.getValue() <= before) {
        return new CommitOutcome.Fenced(
            FailureCode.STALE_PREPARATION,
            "expected to merge shard %s of %s beyond generation %d, but the commit ends at %d"
                .formatted(mark.getKey(), held.table(), before, mark.getValue()),
            head);
      }
    }
    if (nextBytes > MAX_BYTES) {
      return new CommitOutcome.Fenced(
          FailureCode.BAD_POLICY,
          "expected a head of at most %d bytes, but %s has so many shards that it takes %d"
              .formatted(MAX_BYTES, held.table(), nextBytes),
          head);
    }
    return null;
  }

  /** The head of a table that is adopted; after a drop all numbers go on rising. */
  public static Head adopted(
      String uri,
      long version,
      Manifest manifest,
      SortedMap<ShardId, Long> mergedThrough,
      @Nullable Head tombstone) {
    return new Head(
        tombstone == null ? 1 : tombstone.tableIncarnation() + 1,
        uri,
        version,
        0,
        0,
        0,
        manifest,
        mergedThrough,
        tombstone == null ? 0 : tombstone.highestTurn());
  }
}
