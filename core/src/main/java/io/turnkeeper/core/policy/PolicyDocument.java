package io.turnkeeper.core.policy;

import io.turnkeeper.core.FrozenMap;
import io.turnkeeper.core.Kind;
import io.turnkeeper.core.PoolId;
import io.turnkeeper.core.Require;
import io.turnkeeper.core.table.IndexSpec;
import java.util.List;
import java.util.SortedMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What is set for one table or as the default; a field that is null is inherited. Times are in
 * milliseconds, sizes in bytes. {@link Policy#DEFAULT} lists what holds where nothing is set.
 */
public record PolicyDocument(
    @Nullable PolicyMode mode,
    @Nullable PoolId pool,
    @Nullable List<Kind> kinds,
    @Nullable Boolean prepareCompact,
    @Nullable Boolean prepareIndex,
    @Nullable Long mergeMinGenerations,
    @Nullable Long mergeMinBytes,
    @Nullable Long mergeMaxAgeMillis,
    @Nullable Long mergeUrgent,
    @Nullable Long mergeMaxGenerations,
    @Nullable Long mergeMaxBytes,
    @Nullable Long indexMinUncovered,
    @Nullable Long observeAfterMillis,
    @Nullable Long observeRescanAfterMillis,
    @Nullable Long compactMinFragments,
    @Nullable Long compactTargetRows,
    @Nullable Long compactTargetBytes,
    @Nullable Long compactMaxSourceFragments,
    @Nullable List<IndexSpec> indexes,
    @Nullable SortedMap<Kind, Long> maxConsecutive,
    @Nullable Long publishTimeoutMillis,
    @Nullable SortedMap<Kind, Long> maxWaitMillis,
    @Nullable Long idleTimeoutMillis,
    @Nullable SortedMap<Kind, Long> minIntervalMillis,
    @Nullable Backpressure backpressure,
    @Nullable Long retireAfterMillis,
    @Nullable Long retireKeepVersions,
    @Nullable Long retireGarbageMaxBytes) {
  /** Sets nothing. */
  public static final PolicyDocument EMPTY = of(draft -> {});

  public PolicyDocument {
    positive("merge.minGenerations", mergeMinGenerations);
    if (mergeMinBytes != null) {
      Require.count("merge.minBytes", mergeMinBytes);
    }
    positive("merge.maxAge", mergeMaxAgeMillis);
    positive("merge.urgent", mergeUrgent);
    positive("merge.maxGenerations", mergeMaxGenerations);
    positive("merge.maxBytes", mergeMaxBytes);
    positive("index.minUncovered", indexMinUncovered);
    positive("observe.after", observeAfterMillis);
    positive("observe.rescanAfter", observeRescanAfterMillis);
    positive("compact.minFragments", compactMinFragments);
    positive("compact.targetRows", compactTargetRows);
    positive("compact.targetBytes", compactTargetBytes);
    positive("compact.maxSourceFragments", compactMaxSourceFragments);
    positive("turns.publishTimeout", publishTimeoutMillis);
    positive("idleTimeout", idleTimeoutMillis);
    kinds = kinds == null ? null : List.copyOf(kinds);
    indexes = indexes == null ? null : List.copyOf(indexes);
    maxConsecutive = sorted("turns.maxConsecutive", maxConsecutive);
    maxWaitMillis = sorted("maxWait", maxWaitMillis);
    minIntervalMillis = sorted("minInterval", minIntervalMillis);
    positive("retire.after", retireAfterMillis);
    positive("retire.keepVersions", retireKeepVersions);
    positive("retire.garbageMax", retireGarbageMaxBytes);
  }

  /** The document that sets what {@code filling} sets and nothing else. */
  public static PolicyDocument of(Consumer<PolicyDraft> filling) {
    PolicyDraft draft = new PolicyDraft();
    filling.accept(draft);
    return draft.document();
  }

  /** Bounded above too, so that no sum of a time and a limit can overflow. */
  private static void positive(String field, @Nullable Long value) {
    if (value != null) {
      Require.positive(field, value);
    }
  }

  private static @Nullable SortedMap<Kind, Long> sorted(
      String field, @Nullable SortedMap<Kind, Long> map) {
    if (map != null) {
      map.forEach((kind, value) -> positive(field + "." + kind, value));
    }
    return map == null ? null : FrozenMap.copyOf(map);
  }
}
