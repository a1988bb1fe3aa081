package io.turnkeeper.streams.backtest;

import io.turnkeeper.core.table.DemandEvent.IndexObserved;
import io.turnkeeper.core.table.Observation;
import io.turnkeeper.core.table.TableState;
import io.turnkeeper.core.table.WorkSpec;
import org.jspecify.annotations.Nullable;

/** How much work a unit is, in steps of two: 3 stands for 8 to 15 pieces. */
final class Size {
  private Size() {}

  /** Generations of a merge, fragments of a compaction or index build, 0 for all else. */
  static int log2(WorkSpec spec, TableState state) {
    return 63 - Long.numberOfLeadingZeros(Math.max(1, pieces(spec, state.observation())));
  }

  private static long pieces(WorkSpec spec, @Nullable Observation seen) {
    if (spec instanceof WorkSpec.MergeWal merge) {
      return merge.ranges().values().stream()
          .mapToLong(range -> range.last() - range.first() + 1)
          .sum();
    }
    if (seen != null && spec instanceof WorkSpec.Compact compact) {
      return Math.min(seen.smallFragments(), compact.maxSourceFragments());
    }
    if (seen != null && spec instanceof WorkSpec.BuildIndex build) {
      return seen.indexes().stream()
          .filter(index -> index.name().equals(build.index().name()) && !index.damaged())
          .findFirst()
          .map(IndexObserved::uncoveredFragments)
          .orElse(seen.fragments());
    }
    return 1;
  }
}
