package io.turnkeeper.worker;

import io.turnkeeper.authority.Head;
import io.turnkeeper.core.Attempt;
import io.turnkeeper.core.FailureCode;
import io.turnkeeper.core.Require;
import io.turnkeeper.core.ShardId;
import io.turnkeeper.core.table.Artifact;
import io.turnkeeper.core.table.CheckpointEvent.PreparationPlanned;
import io.turnkeeper.core.table.CheckpointEvent.PreparationReady;
import io.turnkeeper.core.table.ClaimEvent.UnitClaimed;
import io.turnkeeper.core.table.ClaimEvent.UnitDeclined;
import io.turnkeeper.core.table.ClaimEvent.UnitReleased;
import io.turnkeeper.core.table.PublishEvent.BadGeneration;
import io.turnkeeper.core.table.PublishEvent.HeadObserved;
import io.turnkeeper.core.table.PublishEvent.PublishRefused;
import io.turnkeeper.core.table.PublishEvent.TurnTaken;
import io.turnkeeper.core.table.PublishEvent.UnitFailed;
import io.turnkeeper.core.table.PublishEvent.UnitNoOp;
import io.turnkeeper.core.table.PublishEvent.UnitPublished;
import io.turnkeeper.core.table.TableEvent;
import java.util.List;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/** Tells what one attempt does. */
final class AttemptReports {
  private final Attempt attempt;
  private final Reports reports;
  private volatile long peakBytes;

  AttemptReports(Attempt attempt, Reports reports) {
    this.attempt = attempt;
    this.reports = reports;
  }

  Attempt attempt() {
    return attempt;
  }

  void send(TableEvent event) {
    reports.send(event);
  }

  /** Remembers the most memory it took, to be told with its end. */
  void peaked(long bytes) {
    peakBytes = Math.max(peakBytes, bytes);
  }

  void claimed() {
    reports.send(new UnitClaimed(attempt));
  }

  void declined(FailureCode code) {
    reports.send(new UnitDeclined(attempt, code.name()));
  }

  void released() {
    reports.send(new UnitReleased(attempt, peakBytes));
  }

  void planned(long readVersion, List<Long> sourceFragments) {
    reports.send(new PreparationPlanned(attempt, readVersion, sourceFragments));
  }

  void ready(Artifact artifact) {
    reports.send(new PreparationReady(attempt, artifact));
  }

  void turnTaken(long turn) {
    reports.send(new TurnTaken(attempt, turn));
  }

  void published(
      long turn, List<Long> versions, SortedMap<ShardId, Long> merged, long rows, long files) {
    reports.send(new UnitPublished(attempt, turn, versions, merged, rows, files, peakBytes));
  }

  void refused(long turn, FailureCode code, String message) {
    reports.send(new PublishRefused(attempt, turn, code.name(), Require.shortened(message)));
  }

  void failed(String phase, String code, String message, @Nullable BadGeneration bad) {
    reports.send(new UnitFailed(attempt, phase, code, Require.shortened(message), bad));
  }

  void nothingToDo(long version, String reason) {
    reports.send(new UnitNoOp(attempt, version, Require.shortened(reason)));
  }

  void head(@Nullable Head head) {
    if (head != null) {
      reports.send(
          new HeadObserved(
              attempt,
              head.tableIncarnation(),
              head.version(),
              head.turn(),
              head.unit(),
              head.unitAttempt(),
              head.highestTurn(),
              head.mergedThrough()));
    }
  }
}
