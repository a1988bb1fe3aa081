package io.turnkeeper.worker.work;

import io.turnkeeper.core.FailureCode;
import io.turnkeeper.core.table.WorkSpec.MergeWal;
import io.turnkeeper.worker.wal.InvalidWalException;
import io.turnkeeper.worker.wal.NewestRows;
import java.util.List;
import org.apache.arrow.vector.types.pojo.Field;
import org.lance.Dataset;
import org.lance.Transaction;
import org.lance.merge.MergeInsertParams;
import org.lance.merge.MergeInsertResult;
import org.lance.merge.MergeInsertStats;
import org.lance.operation.Update;

/**
 * Writes rows over those with the same keys. Lance can only do so with a commit, so it commits to
 * the attempt's own table; what that commit holds is then published to the real one.
 */
final class Upsert {
  private final MergeWal spec;
  private final Dataset pinned;
  private final Staging staging;
  private final WalRows source;

  Upsert(MergeWal spec, Dataset pinned, Staging staging, WalRows source) {
    this.spec = spec;
    this.pinned = pinned;
    this.staging = staging;
    this.source = source;
  }

  PreparedUpsert prepare() throws Exception {
    requireKeys();
    NewestRows newest;
    try {
      newest =
          NewestRows.of(
              source.wal(),
              source.generations(),
              source.schema(),
              spec.keyColumns(),
              source.allocator());
    } catch (InvalidWalException e) {
      throw new WorkFailedException(e);
    }
    source.progress().completed(0, 0, 0, "found the newest row of each key");
    source.progress().requireLive();
    Update update = merge(newest);
    PreparedFiles files = staging.files();
    return new PreparedUpsert(
        new MergeRanges(spec.ranges()),
        ColumnIds.of(pinned),
        PreparedUpsert.newestFragment(pinned),
        update,
        files,
        Descriptor.artifact(pinned.version(), List.of(), files, source.rows()));
  }

  private void requireKeys() throws WorkFailedException {
    List<String> columns = source.schema().getFields().stream().map(Field::getName).toList();
    if (spec.keyColumns().isEmpty() || !columns.containsAll(spec.keyColumns())) {
      throw new WorkFailedException(
          FailureCode.BAD_POLICY,
          "expected key columns among " + columns + ", but they are " + spec.keyColumns());
    }
  }

  private Update merge(NewestRows newest) throws Exception {
    MergeInsertParams params =
        new MergeInsertParams(spec.keyColumns())
            .withMatchedUpdateAll()
            .withNotMatched(MergeInsertParams.WhenNotMatched.InsertAll)
            .withConflictRetries(0)
            .withSkipAutoCleanup(true);
    try (Dataset table = staging.openWhole(pinned, source.allocator())) {
      MergeInsertResult result = source.into(newest, stream -> table.mergeInsert(params, stream));
      try (Dataset merged = result.dataset();
          Transaction transaction = merged.readTransaction().orElseThrow()) {
        requireRows(newest, result.stats());
        return (Update) transaction.operation();
      }
    }
  }

  /** Each row of the log was matched, inserted, or superseded by a later one of the same key. */
  private void requireRows(NewestRows newest, MergeInsertStats stats) {
    long accounted = stats.numUpdatedRows() + stats.numInsertedRows() + newest.superseded();
    if (accounted != source.rows()) {
      throw new IllegalStateException(
          "expected "
              + source.rows()
              + " rows, but "
              + stats.numUpdatedRows()
              + " were matched, "
              + stats.numInsertedRows()
              + " inserted and "
              + newest.superseded()
              + " superseded");
    }
  }
}
