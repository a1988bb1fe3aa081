package io.turnkeeper.worker.fence;

import io.turnkeeper.authority.Authority;
import io.turnkeeper.authority.Commit;
import io.turnkeeper.authority.CommitOutcome;
import io.turnkeeper.authority.Deadline;
import io.turnkeeper.authority.HeldTurn;
import io.turnkeeper.core.FailureCode;
import io.turnkeeper.core.ShardId;
import io.turnkeeper.worker.fence.CrashPoint.Step;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The commits of one turn: each is staged, made real by the authority, and then made visible. After
 * the first failure it refuses everything, since Lance would try the same rows again under the next
 * version. Why it refused is remembered here: Lance tells its caller only that there was a
 * conflict.
 */
final class TurnCommits {
  private static final Logger LOGGER = LoggerFactory.getLogger(TurnCommits.class);

  /** One commit that the publisher announced. */
  record Planned(SortedMap<ShardId, Long> mergedThrough, boolean last) {}

  private final Authority authority;
  private final Manifests manifests;
  private final Versions versions;
  private final CrashPoint crashPoint;
  private final Deadline deadline;
  private final Deque<Planned> plan = new ArrayDeque<>();
  private volatile HeldTurn held;
  private volatile @Nullable PublishOutcome ending;
  private volatile @Nullable Throwable bug;

  TurnCommits(
      Authority authority,
      Manifests manifests,
      CrashPoint crashPoint,
      HeldTurn held,
      Deadline deadline) {
    this.authority = authority;
    this.manifests = manifests;
    this.versions = new Versions(manifests);
    this.crashPoint = crashPoint;
    this.held = held;
    this.deadline = deadline;
  }

  HeldTurn held() {
    return held;
  }

  /** Why nothing more can be committed; null while something can. */
  @Nullable PublishOutcome ending() {
    if (bug != null) {
      throw new IllegalStateException("a commit was interrupted by a fault of its own", bug);
    }
    return ending;
  }

  /** Announces the commits of the next call of Lance; what was announced before is void. */
  synchronized void plan(List<Planned> commits) {
    plan.clear();
    plan.addAll(commits);
  }

  /**
   * Commits the manifest that Lance staged at {@code lancePath} as {@code version}.
   *
   * @return whether it is real and visible
   */
  synchronized boolean commit(long version, String lancePath) {
    if (ending != null || bug != null) {
      return false;
    }
    try {
      ending = attempt(version, lancePath);
      return ending == null;
    } catch (RuntimeException | Error e) {
      bug = e;
      throw e;
    }
  }

  /** Why the table cannot take the next version because somebody made it; null if nobody did. */
  @Nullable Refusal preempted() {
    return versions.fork(authority, held.table(), held.head().version(), deadline).refusal(held);
  }

  private @Nullable PublishOutcome attempt(long version, String lancePath) {
    Planned planned = plan.poll();
    if (planned == null) {
      return fenced(
          FailureCode.TURN_LOST,
          "expected no more commits than were planned, but version " + version + " was asked for");
    }
    Optional<String> staged = ManifestPaths.staged(lancePath);
    if (staged.isEmpty()) {
      return fenced(FailureCode.UNKNOWN, "expected a staged manifest, but it is " + lancePath);
    }
    if (!held.lease().isLive()) {
      return fenced(
          FailureCode.TURN_LOST,
          "expected turn %d of %s to be held, but its lease is lost"
              .formatted(held.turn(), held.table()));
    }
    Refusal preempted = preempted();
    return preempted == null
        ? commit(version, staged.get(), planned)
        : fenced(preempted.code(), preempted.message());
  }

  private @Nullable PublishOutcome commit(long version, String staged, Planned planned) {
    String pending = ManifestPaths.pending(version);
    Manifests.Kept kept;
    try {
      kept = manifests.keep(staged, pending);
    } catch (IOException e) {
      discard(pending);
      return fenced(FileErrors.codeOf(e), "the manifest was not staged: " + FileErrors.said(e));
    }
    crashPoint.reached(Step.STAGED);
    CommitOutcome outcome =
        authority.commit(
            held,
            new Commit(version, kept.manifest(), planned.mergedThrough(), planned.last()),
            deadline);
    return outcome.match(new Ending(kept)).orElse(null);
  }

  private static PublishOutcome fenced(FailureCode code, String message) {
    return new PublishOutcome.Fenced(code, message, null);
  }

  private void discard(String pending) {
    try {
      manifests.table().delete(List.of(pending));
    } catch (IOException e) {
      LOGGER
          .atDebug()
          .addKeyValue("table", held.table())
          .setCause(e)
          .log("{} is left over", pending);
    }
  }

  /** Whether an outcome of the authority ends the turn's commits. */
  private final class Ending implements CommitOutcome.Cases<Optional<PublishOutcome>> {
    private final Manifests.Kept kept;

    Ending(Manifests.Kept kept) {
      this.kept = kept;
    }

    @Override
    public Optional<PublishOutcome> committed(CommitOutcome.Committed outcome) {
      held = outcome.next();
      crashPoint.reached(Step.COMMITTED);
      Refusal refusal = versions.materialise(outcome.head(), kept);
      if (refusal == null) {
        crashPoint.reached(Step.MATERIALISED);
        return Optional.empty();
      }
      LOGGER
          .atWarn()
          .addKeyValue("table", held.table())
          .addKeyValue("version", outcome.head().version())
          .addKeyValue("reason", refusal.message())
          .log("a committed version is not visible");
      // The version is real, and the next reader makes it visible; unless a fork took its place,
      // which only a person can resolve.
      return Optional.of(
          refusal.code() == FailureCode.FORKED_HISTORY
              ? new PublishOutcome.Unknown(refusal.code(), refusal.message())
              : new PublishOutcome.Published(held, outcome.head()));
    }

    @Override
    public Optional<PublishOutcome> fenced(CommitOutcome.Fenced outcome) {
      discard(kept.manifest().path());
      return Optional.of(
          new PublishOutcome.Fenced(outcome.code(), outcome.message(), outcome.head()));
    }

    @Override
    public Optional<PublishOutcome> unknown(CommitOutcome.Unknown outcome) {
      return Optional.of(new PublishOutcome.Unknown(outcome.code(), outcome.message()));
    }
  }
}
