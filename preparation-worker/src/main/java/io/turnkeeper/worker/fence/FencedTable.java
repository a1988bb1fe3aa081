package io.turnkeeper.worker.fence;

import io.turnkeeper.authority.HeldTurn;
import io.turnkeeper.core.FailureCode;
import io.turnkeeper.core.ShardId;
import io.turnkeeper.worker.fence.TurnCommits.Planned;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.lance.CommitBuilder;
import org.lance.Dataset;
import org.lance.Transaction;
import org.lance.operation.Operation;

/**
 * A table opened under a held turn: the only way to commit to it. After the first commit that is
 * neither published nor a conflict it refuses everything.
 */
public final class FencedTable implements AutoCloseable {
  /** The keys under which the table's own history names the unit and turn of a version. */
  public static final String UNIT_PROPERTY = "turnkeeper.unit";

  public static final String ATTEMPT_PROPERTY = "turnkeeper.attempt";
  public static final String TURN_PROPERTY = "turnkeeper.turn";

  private final TurnCommits commits;
  private final FencedNamespace namespace;
  private Dataset dataset;

  FencedTable(TurnCommits commits, FencedNamespace namespace, Dataset dataset) {
    this.commits = commits;
    this.namespace = namespace;
    this.dataset = dataset;
  }

  /** The handle to validate on; a fresh one after each commit, so do not keep it. */
  public Dataset dataset() {
    return dataset;
  }

  /** The turn as it stands after the commits so far. */
  public HeldTurn held() {
    return commits.held();
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
    return publish(
        List.of(new Planned(mergedThrough, last)), false, () -> execute(readVersion, operation));
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
    List<Planned> plan = new ArrayList<>();
    for (int i = 1; i <= commits; i++) {
      plan.add(new Planned(new TreeMap<>(), i == commits));
    }
    return publish(plan, true, () -> call.run(dataset));
  }

  /** Closes the handle. A turn that is still held is the caller's to release. */
  @Override
  public void close() {
    dataset.close();
  }

  private PublishOutcome publish(List<Planned> plan, boolean pretend, Runnable call) {
    PublishOutcome ended = ended(pretend);
    if (ended != null) {
      return ended;
    }
    long before = held().head().version();
    commits.plan(plan);
    namespace.pretend(pretend);
    Throwable failure = failureOf(call);
    PublishOutcome ending = commits.ending();
    if (ending != null) {
      return ending;
    }
    HeldTurn held = held();
    boolean committed = held.head().version() > before;
    if (failure == null && !committed && !pretend) {
      throw new IllegalStateException("expected Lance to ask for a version of " + held.table());
    }
    if (failure == null || (committed && !pretend)) {
      return new PublishOutcome.Published(held, held.head());
    }
    Refusal preempted = commits.preempted();
    if (preempted != null) {
      return fenced(preempted);
    }
    Refusal refusal = LanceErrors.refusal(failure);
    return new PublishOutcome.Conflict(held, refusal.code(), refusal.message());
  }

  /**
   * Why nothing can be committed. A call that tries for ever must not see a fork: it would take it
   * for a conflict, and try again. Others are told of it when they ask for their version.
   */
  private @Nullable PublishOutcome ended(boolean triesForEver) {
    PublishOutcome ending = commits.ending();
    if (ending instanceof PublishOutcome.Published) {
      return new PublishOutcome.Fenced(
          FailureCode.IO, "the version before is committed, but not visible", held().head());
    }
    Refusal preempted = ending == null && triesForEver ? commits.preempted() : null;
    return preempted == null ? ending : fenced(preempted);
  }

  private PublishOutcome fenced(Refusal refusal) {
    return new PublishOutcome.Fenced(refusal.code(), refusal.message(), held().head());
  }

  private static @Nullable Throwable failureOf(Runnable call) {
    try {
      call.run();
      return null;
    } catch (Exception e) {
      // Lance throws checked exceptions past the compiler, and has no types to tell them apart.
      return e;
    }
  }

  private void execute(long readVersion, Operation operation) {
    HeldTurn held = held();
    try (Transaction transaction =
        new Transaction.Builder()
            .readVersion(readVersion)
            .operation(operation)
            .transactionProperties(
                Map.of(
                    UNIT_PROPERTY, held.attempt().unit().toString(),
                    ATTEMPT_PROPERTY, Integer.toString(held.attempt().number()),
                    TURN_PROPERTY, Long.toString(held.turn())))
            .build()) {
      Dataset next =
          new CommitBuilder(dataset)
              .namespaceClient(namespace)
              .tableId(TableNamespace.TABLE)
              .namespaceClientManagedVersioning(true)
              // Not 0, which means to try for ever.
              .maxRetries(1)
              .skipAutoCleanup(true)
              .execute(transaction);
      dataset.close();
      dataset = next;
    }
  }
}
