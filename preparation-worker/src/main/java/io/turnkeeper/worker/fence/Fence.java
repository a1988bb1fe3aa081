package io.turnkeeper.worker.fence;

import io.turnkeeper.authority.Authority;
import io.turnkeeper.authority.AuthorityUnavailableException;
import io.turnkeeper.authority.Deadline;
import io.turnkeeper.authority.Head;
import io.turnkeeper.authority.HeldTurn;
import io.turnkeeper.core.FailureCode;
import io.turnkeeper.core.TableId;
import java.util.Optional;
import org.apache.arrow.memory.BufferAllocator;
import org.lance.Dataset;

/** Opens tables at the version the authority calls their newest: to publish, or only to read. */
public final class Fence {
  private final Authority authority;
  private final CrashPoint crashPoint;

  public Fence(Authority authority) {
    this(authority, CrashPoint.NONE);
  }

  public Fence(Authority authority, CrashPoint crashPoint) {
    this.authority = authority;
    this.crashPoint = crashPoint;
  }

  /**
   * Opens the table of a turn that was just taken, on a fresh handle at the turn's head. A version
   * that was committed and not materialised is materialised first.
   *
   * @param uri where the caller believes the table to lie; refused if that is not so
   * @param deadline bounds the opening and every commit
   */
  public OpenOutcome<FencedTable> open(
      HeldTurn held, String uri, BufferAllocator allocator, Deadline deadline) {
    crashPoint.reached(CrashPoint.Step.TURN_TAKEN);
    Head head = held.head();
    if (!head.uri().equals(uri)) {
      return new OpenOutcome.Refused<>(
          FailureCode.NO_SUCH_TABLE,
          "expected %s at %s, but it lies at %s".formatted(held.table(), uri, head.uri()));
    }
    Manifests manifests = Manifests.at(head.uri());
    TurnCommits commits = new TurnCommits(authority, manifests, crashPoint, held, deadline);
    FencedNamespace namespace = new FencedNamespace(manifests, commits);
    Refusal refusal = new Versions(manifests).materialise(head);
    refusal = refusal == null ? commits.preempted() : refusal;
    return refusal == null
        ? opened(
            namespace, head, allocator, dataset -> new FencedTable(commits, namespace, dataset))
        : refused(refusal);
  }

  /** Opens the table for reading, pinned at the head. Its handle refuses every commit. */
  public OpenOutcome<TableSnapshot> read(
      TableId table, BufferAllocator allocator, Deadline deadline) {
    Optional<Head> head;
    try {
      head = authority.head(table, deadline);
    } catch (AuthorityUnavailableException e) {
      return new OpenOutcome.Refused<>(
          FailureCode.AUTHORITY_UNAVAILABLE, String.valueOf(e.getMessage()));
    }
    if (head.isEmpty()) {
      return new OpenOutcome.Refused<>(
          FailureCode.NO_SUCH_TABLE, "expected " + table + " to be registered, but it is not");
    }
    Manifests manifests = Manifests.at(head.get().uri());
    Versions versions = new Versions(manifests);
    Refusal refusal = versions.materialise(head.get());
    refusal =
        refusal == null
            ? versions
                .fork(authority, table, head.get().version(), deadline)
                .refusal(table, head.get())
            : refusal;
    return refusal == null
        ? opened(
            new ReadOnlyNamespace(manifests, head.get().version()),
            head.get(),
            allocator,
            dataset -> new TableSnapshot(head.get(), dataset))
        : refused(refusal);
  }

  private interface Wrapped<T> {
    T around(Dataset dataset);
  }

  private static <T> OpenOutcome<T> opened(
      TableNamespace namespace, Head head, BufferAllocator allocator, Wrapped<T> wrapped) {
    Dataset dataset;
    try {
      dataset =
          Dataset.open()
              .allocator(allocator)
              .namespaceClient(namespace)
              .tableId(TableNamespace.TABLE)
              .build();
    } catch (Exception e) {
      // Lance throws checked exceptions past the compiler.
      return refused(LanceErrors.refusal(e));
    }
    if (dataset.version() != head.version()) {
      long version = dataset.version();
      dataset.close();
      throw new IllegalStateException(
          "expected Lance to open version " + head.version() + ", but it opened " + version);
    }
    return new OpenOutcome.Opened<>(wrapped.around(dataset));
  }

  private static <T> OpenOutcome<T> refused(Refusal refusal) {
    return new OpenOutcome.Refused<>(refusal.code(), refusal.message());
  }
}
