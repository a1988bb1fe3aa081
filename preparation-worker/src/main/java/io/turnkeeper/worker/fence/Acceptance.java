package io.turnkeeper.worker.fence;

import io.turnkeeper.authority.Authority;
import io.turnkeeper.authority.Commit;
import io.turnkeeper.authority.CommitOutcome;
import io.turnkeeper.authority.Deadline;
import io.turnkeeper.authority.Head;
import io.turnkeeper.authority.HeldTurn;
import io.turnkeeper.authority.Manifest;
import io.turnkeeper.core.FailureCode;
import io.turnkeeper.core.TableId;
import java.io.IOException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Goes on from versions that somebody committed around the turns. The merged marks stay as they
 * are: whether the rows they stand for are still there only the operator can know.
 */
public final class Acceptance {
  private final Authority authority;

  public Acceptance(Authority authority) {
    this.authority = authority;
  }

  /** Makes {@code version}, the newest that readers see, the head. */
  public RegistrationOutcome accept(TableId table, long version, Deadline deadline) {
    OperatorTurn turn = OperatorTurn.take(authority, table, deadline);
    HeldTurn held = turn.held();
    if (held == null) {
      return refused(turn.refusal());
    }
    try {
      Manifests manifests = Manifests.at(held.head().uri());
      Refusal refusal = refusal(manifests, held, version);
      Optional<Manifest> manifest = manifests.read(ManifestPaths.visible(version));
      if (refusal != null || manifest.isEmpty()) {
        return refused(refusal);
      }
      return authority
          .commit(held, Commit.accepting(version, manifest.get()), deadline)
          .match(new Answer());
    } catch (IOException e) {
      return refused(
          new Refusal(FileErrors.codeOf(e), "no versions to be read: " + FileErrors.said(e)));
    } finally {
      authority.release(held, deadline);
    }
  }

  private static @Nullable Refusal refusal(Manifests manifests, HeldTurn held, long version)
      throws IOException {
    Head head = held.head();
    Refusal replaced = new Versions(manifests).materialise(head);
    if (replaced != null) {
      return new Refusal(
          replaced.code(),
          "%s; its rows are not in what was made instead: remove that file and register again"
              .formatted(replaced.message()));
    }
    long newest = manifests.versions().stream().mapToLong(Long::longValue).max().orElse(0);
    return version == newest && version > head.version()
        ? null
        : new Refusal(
            FailureCode.BAD_POLICY,
            "expected the newest version of the table, %d, above its head, %d, but it is %d"
                .formatted(newest, head.version(), version));
  }

  private static RegistrationOutcome refused(@Nullable Refusal refusal) {
    return refusal == null
        ? new RegistrationOutcome.Refused(FailureCode.MISSING_FILE, "the version is gone")
        : new RegistrationOutcome.Refused(refusal.code(), refusal.message());
  }

  private static final class Answer implements CommitOutcome.Cases<RegistrationOutcome> {
    @Override
    public RegistrationOutcome committed(CommitOutcome.Committed outcome) {
      return new RegistrationOutcome.Registered(outcome.head(), true, "");
    }

    @Override
    public RegistrationOutcome fenced(CommitOutcome.Fenced outcome) {
      return new RegistrationOutcome.Refused(outcome.code(), outcome.message());
    }

    @Override
    public RegistrationOutcome unknown(CommitOutcome.Unknown outcome) {
      return new RegistrationOutcome.Refused(outcome.code(), outcome.message());
    }
  }
}
