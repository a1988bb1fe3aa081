package io.turnkeeper.worker.work;

import io.turnkeeper.core.FailureCode;
import io.turnkeeper.worker.fence.UnsafeTable;
import java.util.Optional;
import org.lance.Dataset;

/** A table that may be indexed and compacted; merges go on with any. */
final class SafeTable {
  private SafeTable() {}

  static void require(Dataset table) throws WorkFailedException {
    Optional<String> unsafe = UnsafeTable.reason(table);
    if (unsafe.isPresent()) {
      throw new WorkFailedException(
          FailureCode.UNSAFE_TABLE,
          "expected a table that Lance 7 answers from rightly, but " + unsafe.get());
    }
  }
}
