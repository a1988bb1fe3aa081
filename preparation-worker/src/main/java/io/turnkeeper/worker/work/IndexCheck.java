package io.turnkeeper.worker.work;

import io.turnkeeper.core.table.IndexSpec;
import java.util.HashSet;
import java.util.Set;
import java.util.UUID;
import org.lance.Dataset;
import org.lance.index.Index;
import org.lance.schema.LanceField;

/** Reads some keys with and without the indexes; what disagrees is damaged and built anew. */
public final class IndexCheck {
  private IndexCheck() {}

  /**
   * The segments of wrong indexes after {@code prepared} was published. A merge changes no index's
   * answers, so nothing is read after one.
   *
   * @param uri where the table's files lie
   */
  public static Set<UUID> damaged(Dataset table, String uri, Prepared prepared)
      throws WorkFailedException, WorkCancelledException {
    if (prepared instanceof PreparedMerge || prepared instanceof PreparedUpsert) {
      return Set.of();
    }
    return damaged(table, uri);
  }

  /**
   * The segments of all indexes on columns whose answers are wrong. While a file of the rows
   * themselves is lost there is nothing to compare with, and the loss is what must be told.
   *
   * @param uri where the table's files lie
   */
  public static Set<UUID> damaged(Dataset table, String uri)
      throws WorkFailedException, WorkCancelledException {
    return LanceCall.of(
        () -> {
          Set<UUID> damaged = new HashSet<>();
          if (table.getIndexes().isEmpty() || LostFiles.in(Place.of("table", uri)).anyOf(table)) {
            return damaged;
          }
          for (Index index : table.getIndexes()) {
            LanceField field =
                IndexTypes.of(index.indexType()).isEmpty() || index.fields().isEmpty()
                    ? null
                    : ColumnIds.withId(table, index.fields().get(0));
            if (field != null && !SampledKeys.of(table, field.getName()).agree(table)) {
              damaged.add(index.uuid());
            }
          }
          return damaged;
        });
  }

  /** Whether a look-up by {@code index} finds what a scan finds. */
  static boolean agrees(Dataset table, IndexSpec index) throws Exception {
    return IndexSegments.of(table, index.name()).segments().isEmpty()
        || SampledKeys.of(table, index.column()).agree(table);
  }
}
