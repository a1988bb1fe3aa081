package io.turnkeeper.worker.fence;

import io.turnkeeper.core.ShardId;
import io.turnkeeper.worker.authority.HeldTurn;
import java.util.SortedMap;
import org.lance.Dataset;
import org.lance.operation.Operation;

/**
 * A table opened under a held turn: the only way to commit to it. After the first commit that is
 * neither published nor a conflict it refuses everything.
 */
@SuppressWarnings("DoNotCallSuggester")
public final class FencedTable implements AutoCloseable {

  /** The handle to validate on; a fresh one after each commit, so do not keep it. */
  public Dataset dataset() {
    throw new UnsupportedOperationException();
  }

  /** The turn as it stands after the commits so far. */
  public HeldTurn held() {
    throw new UnsupportedOperationException();
  }

  /**
   * Commits one operation.
   *
   * @param readVersion the version the operation was prepared at; never raised
   * @param mergedThrough the marks this commit moves on
   * @param last whether the turn is given back with it
   */
  public PublishOutcome commit(
      long readVersion, Operation operation, SortedMap<ShardId, Long> mergedThrough, boolean last) {
    throw new UnsupportedOperationException();
  }

  /**
   * Runs a call that commits by itself and has no limit on its retries, such as {@code
   * Compaction.commitCompaction}. After a refusal it is answered as if it had succeeded, so that it
   * returns; nothing of it becomes real.
   *
   * @param commits how many commits it makes; with the last one the turn is given back. If it makes
   *     fewer, the turn is still held; one more is refused.
   */
  public PublishOutcome run(int commits, NativeCommits call) {
    throw new UnsupportedOperationException();
  }

  /** Closes the handle. A turn that is still held is the caller's to release. */
  @Override
  public void close() {}
}
