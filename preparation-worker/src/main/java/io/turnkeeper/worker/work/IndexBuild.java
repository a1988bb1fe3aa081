package io.turnkeeper.worker.work;

import io.turnkeeper.core.table.IndexSpec;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.lance.Dataset;
import org.lance.index.Index;
import org.lance.index.IndexOptions;

/** Builds the files of one index segment, without a commit. */
final class IndexBuild {
  private final Dataset table;
  private final IndexSpec index;
  private final UUID uuid;

  IndexBuild(Dataset table, IndexSpec index, UUID uuid) {
    this.table = table;
    this.index = index;
    this.uuid = uuid;
  }

  /**
   * Reads the column of {@code fragments}; with a B-tree it may be called for some after others.
   */
  Index read(List<Integer> fragments) {
    return table.createIndex(
        IndexOptions.builder(
                List.of(index.column()),
                IndexTypes.ofLance(index.type()),
                IndexTypes.params(index.type()))
            .withFragmentIds(fragments)
            .withIndexUUID(uuid.toString())
            .withIndexName(index.name())
            // Otherwise Lance refuses a name that is in use; nothing is replaced without a commit.
            .replace(true)
            .build());
  }

  /** Joins the parts of a B-tree. */
  void join() {
    table.mergeIndexMetadata(uuid.toString(), IndexTypes.ofLance(index.type()), Optional.empty());
  }
}
