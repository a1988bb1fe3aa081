package io.turnkeeper.worker.work;

import io.turnkeeper.core.FailureCode;
import org.lance.Dataset;

/** Tables on which Lance 7.0.0 answers wrongly once they are indexed or compacted. */
final class UnsafeTable {
  private static final String REUSE_INDEX = "__lance_frag_reuse";

  private UnsafeTable() {}

  static void refuse(Dataset table) throws WorkFailedException {
    if (table.hasStableRowIds()) {
      throw new WorkFailedException(
          FailureCode.UNSAFE_TABLE,
          "expected a table without stable row ids, but it has them: Lance 7 answers wrongly from"
              + " indexes of such tables");
    }
    if (table.listIndexes().contains(REUSE_INDEX)) {
      throw new WorkFailedException(
          FailureCode.UNSAFE_TABLE,
          "expected a table without "
              + REUSE_INDEX
              + ", but it was compacted with a deferred index remap: Lance 7 answers wrongly from"
              + " indexes of such tables");
    }
  }
}
