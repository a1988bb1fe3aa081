package io.turnkeeper.worker.fence;

import io.turnkeeper.authority.Authority;
import io.turnkeeper.authority.AuthorityUnavailableException;
import io.turnkeeper.authority.Deadline;
import io.turnkeeper.authority.Head;
import io.turnkeeper.authority.HeldTurn;
import io.turnkeeper.authority.Manifest;
import io.turnkeeper.core.FailureCode;
import io.turnkeeper.core.TableId;
import java.io.IOException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Brings the versions that the authority knows into the table, where plain readers find them. */
final class Versions {
  /** Whether the version after a head is visible, and who made it. */
  enum Next {
    ABSENT,
    COMMITTED,
    FORKED
  }

  /** What was found out of the next version, or why nothing was. */
  record Fork(Next next, @Nullable Refusal failure) {

    /** Why the holder of a turn cannot make the next version; null if he can. */
    @Nullable Refusal refusal(HeldTurn held) {
      if (failure != null || next == Next.ABSENT) {
        return failure;
      }
      long version = held.head().version() + 1;
      return next == Next.FORKED
          ? forked(held.table(), version)
          : new Refusal(
              FailureCode.TURN_LOST,
              "expected turn %d of %s to be held, but version %d is committed"
                  .formatted(held.turn(), held.table(), version));
    }

    /** Why the table cannot be read; a version that was committed meanwhile does no harm. */
    @Nullable Refusal refusal(TableId table, Head head) {
      return next == Next.FORKED ? forked(table, head.version() + 1) : failure;
    }

    private static Refusal forked(TableId table, long version) {
      return new Refusal(
          FailureCode.FORKED_HISTORY,
          "expected version %d of %s not to exist, but somebody made it around the turns"
              .formatted(version, table));
    }
  }

  private final Manifests manifests;

  Versions(Manifests manifests) {
    this.manifests = manifests;
  }

  /**
   * Makes the head's version visible unless it is, and checks that what is visible is what was
   * committed; a manifest with wrong bytes would abort the process inside Lance.
   *
   * @return why that is not possible, null if it is done
   */
  @Nullable Refusal materialise(Head head) {
    try {
      String path = ManifestPaths.visible(head.version());
      Optional<Manifest> visible = manifests.read(path);
      if (visible.isEmpty()) {
        Refusal refusal = checkPending(head);
        if (refusal != null || manifests.table().copyIfAbsent(head.manifest().path(), path)) {
          return refusal;
        }
        visible = manifests.read(path);
      }
      return refusal(head, path, visible);
    } catch (IOException e) {
      return unreachable(e);
    }
  }

  /**
   * The same for whoever has just committed the head and still has its manifest at hand, which
   * spares reading it back.
   */
  @Nullable Refusal materialise(Head head, Manifests.Kept kept) {
    try {
      String path = ManifestPaths.visible(head.version());
      return kept.copyTo(path) ? null : refusal(head, path, manifests.read(path));
    } catch (IOException e) {
      return unreachable(e);
    }
  }

  private @Nullable Refusal refusal(Head head, String path, Optional<Manifest> visible) {
    return visible.filter(found -> isSame(found, head.manifest())).isPresent()
        ? null
        : unexpected(head, FailureCode.FORKED_HISTORY, path, "has other content");
  }

  private static Refusal unreachable(IOException e) {
    return new Refusal(
        FileErrors.codeOf(e), "the manifests cannot be read or written: " + FileErrors.said(e));
  }

  /**
   * Looks for a version after {@code version}. The file is looked for first: a commit is known to
   * the authority before it is visible, so what is visible and unknown is a fork.
   */
  Fork fork(Authority authority, TableId table, long version, Deadline deadline) {
    try {
      if (!manifests.table().stat(ManifestPaths.visible(version + 1)).isPresent()) {
        return new Fork(Next.ABSENT, null);
      }
      boolean known =
          authority.head(table, deadline).filter(head -> head.version() > version).isPresent();
      return new Fork(known ? Next.COMMITTED : Next.FORKED, null);
    } catch (IOException e) {
      return new Fork(
          Next.ABSENT,
          new Refusal(FileErrors.codeOf(e), "no versions to be read: " + FileErrors.said(e)));
    } catch (AuthorityUnavailableException e) {
      return new Fork(
          Next.ABSENT,
          new Refusal(FailureCode.AUTHORITY_UNAVAILABLE, String.valueOf(e.getMessage())));
    }
  }

  private @Nullable Refusal checkPending(Head head) throws IOException {
    String path = head.manifest().path();
    Optional<Manifest> pending = manifests.read(path);
    if (pending.isEmpty() && manifests.versions().isEmpty()) {
      return new Refusal(
          FailureCode.NO_SUCH_TABLE,
          "expected the table at %s, but no version of it is there"
              .formatted(manifests.table().location()));
    }
    if (pending.isEmpty()) {
      return unexpected(head, FailureCode.MISSING_FILE, path, "is not there");
    }
    return isSame(pending.get(), head.manifest())
        ? null
        : unexpected(head, FailureCode.CORRUPT_FILE, path, "has other content");
  }

  private Refusal unexpected(Head head, FailureCode code, String path, String fact) {
    return new Refusal(
        code,
        "expected version %d of the table at %s as it was committed, but %s %s"
            .formatted(head.version(), manifests.table().location(), path, fact));
  }

  private static boolean isSame(Manifest one, Manifest other) {
    return one.sizeBytes() == other.sizeBytes() && one.sha256().equals(other.sha256());
  }
}
