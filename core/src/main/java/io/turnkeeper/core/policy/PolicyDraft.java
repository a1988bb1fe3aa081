package io.turnkeeper.core.policy;

import io.turnkeeper.core.Kind;
import io.turnkeeper.core.PoolId;
import io.turnkeeper.core.table.IndexSpec;
import java.util.List;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/** A {@link PolicyDocument} being written: every field is inherited until it is set. */
public final class PolicyDraft {
  public @Nullable PolicyMode mode;
  public @Nullable PoolId pool;
  public @Nullable List<Kind> kinds;
  public @Nullable Boolean prepareCompact;
  public @Nullable Boolean prepareIndex;
  public @Nullable Long mergeMinGenerations;
  public @Nullable Long mergeMinBytes;
  public @Nullable Long mergeMaxAgeMillis;
  public @Nullable Long mergeUrgent;
  public @Nullable Long mergeMaxGenerations;
  public @Nullable Long mergeMaxBytes;
  public @Nullable Long indexMinUncovered;
  public @Nullable Long observeAfterMillis;
  public @Nullable Long observeRescanAfterMillis;
  public @Nullable Long compactMinFragments;
  public @Nullable Long compactTargetRows;
  public @Nullable Long compactTargetBytes;
  public @Nullable Long compactMaxSourceFragments;
  public @Nullable List<IndexSpec> indexes;
  public @Nullable SortedMap<Kind, Long> maxConsecutive;
  public @Nullable Long publishTimeoutMillis;
  public @Nullable SortedMap<Kind, Long> maxWaitMillis;
  public @Nullable Long idleTimeoutMillis;
  public @Nullable SortedMap<Kind, Long> minIntervalMillis;
  public @Nullable Backpressure backpressure;
  public @Nullable Long retireAfterMillis;
  public @Nullable Long retireKeepVersions;
  public @Nullable Long retireGarbageMaxBytes;

  PolicyDraft() {}

  PolicyDocument document() {
    return new PolicyDocument(
        mode,
        pool,
        kinds,
        prepareCompact,
        prepareIndex,
        mergeMinGenerations,
        mergeMinBytes,
        mergeMaxAgeMillis,
        mergeUrgent,
        mergeMaxGenerations,
        mergeMaxBytes,
        indexMinUncovered,
        observeAfterMillis,
        observeRescanAfterMillis,
        compactMinFragments,
        compactTargetRows,
        compactTargetBytes,
        compactMaxSourceFragments,
        indexes,
        maxConsecutive,
        publishTimeoutMillis,
        maxWaitMillis,
        idleTimeoutMillis,
        minIntervalMillis,
        backpressure,
        retireAfterMillis,
        retireKeepVersions,
        retireGarbageMaxBytes);
  }
}
