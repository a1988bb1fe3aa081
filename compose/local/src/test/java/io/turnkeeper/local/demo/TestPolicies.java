package io.turnkeeper.local.demo;

import io.turnkeeper.core.Kind;
import io.turnkeeper.core.policy.PolicyDocument;
import io.turnkeeper.core.table.IndexSpec;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Policies that let exactly one kind of work begin when the test wants it. */
final class TestPolicies {
  private static final long OBSERVE_AFTER_MILLIS = 500;

  private TestPolicies() {}

  /** Merges only, when {@code generations} are pending. */
  static PolicyDocument merging(long generations) {
    return document(List.of(Kind.MERGE_WAL, Kind.OBSERVE), generations, 16, List.of());
  }

  /** Such merges, given up when one is silent for {@code idleTimeout}. */
  static PolicyDocument merging(long generations, Duration idleTimeout) {
    return PolicyDocument.of(
        draft -> {
          draft.kinds = List.of(Kind.MERGE_WAL, Kind.OBSERVE);
          draft.mergeMinGenerations = generations;
          draft.observeAfterMillis = OBSERVE_AFTER_MILLIS;
          draft.idleTimeoutMillis = idleTimeout.toMillis();
        });
  }

  /** Merges, and a retirement whenever there is anything to remove. */
  static PolicyDocument retiring() {
    return PolicyDocument.of(
        draft -> {
          draft.kinds = List.of(Kind.MERGE_WAL, Kind.OBSERVE, Kind.RETIRE);
          draft.observeAfterMillis = OBSERVE_AFTER_MILLIS;
          draft.retireGarbageMaxBytes = 1L;
          draft.minIntervalMillis = new TreeMap<>(Map.of(Kind.RETIRE, 1L));
        });
  }

  /** Merges at once, and an index that leaves no fragment uncovered. */
  static PolicyDocument indexing() {
    return document(
        List.of(Kind.MERGE_WAL, Kind.OBSERVE, Kind.INDEX), 1, 1, List.of(DemoPolicies.index()));
  }

  private static PolicyDocument document(
      List<Kind> kinds, long minGenerations, long minUncovered, @Nullable List<IndexSpec> indexes) {
    return PolicyDocument.of(
        draft -> {
          draft.kinds = kinds;
          draft.prepareCompact = true;
          draft.prepareIndex = true;
          draft.mergeMinGenerations = minGenerations;
          draft.indexMinUncovered = minUncovered;
          draft.observeAfterMillis = OBSERVE_AFTER_MILLIS;
          draft.indexes = indexes;
        });
  }
}
