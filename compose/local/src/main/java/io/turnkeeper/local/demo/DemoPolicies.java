package io.turnkeeper.local.demo;

import io.turnkeeper.core.Kind;
import io.turnkeeper.core.TableId;
import io.turnkeeper.core.policy.PolicyDocument;
import io.turnkeeper.core.table.IndexSpec;
import io.turnkeeper.core.table.IndexType;
import io.turnkeeper.core.table.PolicyEvent.PolicySet;
import io.turnkeeper.local.verify.RowId;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What the demo, as the table's operator, asks for in its three parts. */
final class DemoPolicies {
  static final String INDEX = "id_btree";
  static final long MIN_FRAGMENTS = 3;

  private static final String AUTHOR = "demo";
  private static final long MERGE_MIN_GENERATIONS = 4;
  private static final long MIN_UNCOVERED = 8;
  private static final long MERGE_MAX_AGE_MILLIS = 1_000;
  private static final long OBSERVE_AFTER_MILLIS = 2_000;

  /** Small enough that what the load wrote is left alone and what the writers add is not. */
  static final long TARGET_ROWS = 100_000;

  private DemoPolicies() {}

  /** Merges only, each generation at once. */
  static PolicySet loading(TableId table) {
    return set(
        table,
        document(List.of(Kind.MERGE_WAL, Kind.OBSERVE), null, 1, 1, List.of()),
        "load the rows that make an index worth preparing");
  }

  /** Everything, with compaction and index prepared outside the write turn. */
  static PolicySet optedIn(TableId table) {
    return set(
        table,
        document(null, true, MERGE_MIN_GENERATIONS, MIN_UNCOVERED, List.of(index())),
        "prepare compactions and indexes outside the write turn");
  }

  /** The same, and no generation and no uncovered fragment is too few. */
  static PolicySet draining(TableId table) {
    return set(
        table,
        document(null, true, 1, 1, List.of(index())),
        "the writers are done, merge what is left");
  }

  static IndexSpec index() {
    return new IndexSpec(INDEX, RowId.COLUMN, IndexType.BTREE);
  }

  private static PolicySet set(TableId table, PolicyDocument document, String reason) {
    return new PolicySet(table, document, AUTHOR, reason);
  }

  private static PolicyDocument document(
      @Nullable List<Kind> kinds,
      @Nullable Boolean prepare,
      long mergeMinGenerations,
      long indexMinUncovered,
      List<IndexSpec> indexes) {
    return PolicyDocument.of(
        draft -> {
          draft.kinds = kinds;
          draft.prepareCompact = prepare;
          draft.prepareIndex = prepare;
          draft.mergeMinGenerations = mergeMinGenerations;
          draft.mergeMaxAgeMillis = MERGE_MAX_AGE_MILLIS;
          draft.indexMinUncovered = indexMinUncovered;
          draft.observeAfterMillis = OBSERVE_AFTER_MILLIS;
          draft.compactMinFragments = MIN_FRAGMENTS;
          draft.compactTargetRows = TARGET_ROWS;
          draft.indexes = indexes;
        });
  }
}
