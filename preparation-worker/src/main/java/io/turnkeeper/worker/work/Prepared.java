package io.turnkeeper.worker.work;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.turnkeeper.authority.Head;
import io.turnkeeper.core.ShardId;
import io.turnkeeper.core.table.Artifact;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;
import org.lance.Dataset;
import org.lance.operation.Operation;

/** A preparation that is complete: all that publishing it needs to know. */
public sealed interface Prepared
    permits PreparedMerge, PreparedUpsert, PreparedCompaction, PreparedIndex, PreparedRepair {
  /** What is told of it while it waits. */
  Artifact artifact();

  /** What it wrote; deleted if it is given up. */
  PreparedFiles files();

  /**
   * Says why it can no longer be published, or null if nothing it rests on has changed.
   *
   * @param fresh the table as it is now, opened under the turn
   * @param head what the authority says of it
   */
  @Nullable String staleness(Dataset fresh, Head head);

  /** What to commit, at {@link Artifact#readVersion()}, on a table that is not stale. */
  Operation operation(Dataset fresh);

  /** The merged marks that move with the commit. */
  SortedMap<ShardId, Long> mergedThrough();

  /**
   * Writes down what its own kind of work needs besides, so that another process can publish it.
   *
   * @return the name of that kind
   */
  String describe(ObjectNode into);
}
