package io.turnkeeper.worker.fence;

import java.util.Optional;
import org.lance.Dataset;

/** Tables on which Lance 7.0.0 answers wrongly once they are indexed or compacted. */
public final class UnsafeTable {
  private static final String REUSE_INDEX = "__lance_frag_reuse";

  private UnsafeTable() {}

  /** Why {@code table} is one, empty if it is not. */
  public static Optional<String> reason(Dataset table) {
    if (table.hasStableRowIds()) {
      return Optional.of("it has stable row ids, whose indexes answer wrongly");
    }
    return table.listIndexes().contains(REUSE_INDEX)
        ? Optional.of(
            "it has "
                + REUSE_INDEX
                + " from a compaction with a deferred index remap, whose indexes answer wrongly")
        : Optional.empty();
  }
}
