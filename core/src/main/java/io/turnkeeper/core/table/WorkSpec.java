package io.turnkeeper.core.table;

import io.turnkeeper.core.FrozenMap;
import io.turnkeeper.core.Require;
import io.turnkeeper.core.ShardId;
import java.util.List;
import java.util.SortedMap;

/** What exactly a unit is to do, fixed when the unit is requested. */
public sealed interface WorkSpec {

  /** Generations {@code first} to {@code last} of one shard, both included. */
  record GenerationRange(long first, long last) {
    public GenerationRange {
      Require.positive("first", first);
      if (last < first) {
        throw new IllegalArgumentException(
            "expected last >= first, but the range is " + first + " to " + last);
      }
    }
  }

  /**
   * Fold these generations into the table; each range begins at the merged mark + 1.
   *
   * @param skipped per shard, generations of the range that are left out
   */
  record MergeWal(
      SortedMap<ShardId, GenerationRange> ranges,
      SortedMap<ShardId, List<Long>> skipped,
      MergeMode mergeMode,
      List<String> keyColumns)
      implements WorkSpec {
    public MergeWal {
      ranges = FrozenMap.copyOf(ranges);
      skipped = FrozenMap.copyOf(skipped);
      keyColumns = List.copyOf(keyColumns);
    }
  }

  /**
   * Rewrite fragments below the targets.
   *
   * @param excludedFragments sources of a live index build, which stay as they are
   */
  record Compact(
      long targetRows, long targetBytes, long maxSourceFragments, List<Long> excludedFragments)
      implements WorkSpec {
    public Compact {
      Require.positive("targetRows", targetRows);
      Require.positive("targetBytes", targetBytes);
      Require.positive("maxSourceFragments", maxSourceFragments);
      excludedFragments = List.copyOf(excludedFragments);
    }
  }

  /**
   * Build the index, or extend it to fragments it does not cover.
   *
   * @param excludedFragments sources of a live compaction, which are about to go
   */
  record BuildIndex(IndexSpec index, List<Long> excludedFragments) implements WorkSpec {
    public BuildIndex {
      excludedFragments = List.copyOf(excludedFragments);
    }
  }

  /** Drop fragments whose files are gone. */
  record Repair() implements WorkSpec {}

  /**
   * Remove what nobody needs; keep the newest {@code keepVersions} versions.
   *
   * @param oldestLive units of the table with a lower sequence are over: what they prepared and
   *     left can go
   */
  record Retire(long keepVersions, long oldestLive) implements WorkSpec {
    public Retire {
      Require.positive("keepVersions", keepVersions);
      Require.positive("oldestLive", oldestLive);
    }
  }

  /** Read manifest and log and report; under a turn, also fence every lower turn. */
  record Observe() implements WorkSpec {}
}
