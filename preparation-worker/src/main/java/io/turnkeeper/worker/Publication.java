package io.turnkeeper.worker;

import io.turnkeeper.core.FailureCode;
import io.turnkeeper.core.FailureCode.FailureClass;
import io.turnkeeper.core.table.Assignment.RunUnit;
import io.turnkeeper.worker.authority.HeldTurn;
import io.turnkeeper.worker.fence.FencedTable;
import io.turnkeeper.worker.fence.PublishOutcome;
import io.turnkeeper.worker.work.Prepared;
import io.turnkeeper.worker.work.WorkCancelledException;
import io.turnkeeper.worker.work.WorkFailedException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Validates a preparation against the table of a held turn, and commits it. */
final class Publication {

  /** What came of it. */
  enum Result {
    /** The commit is real. */
    PUBLISHED,
    /** The turn is gone; the files are good for another. */
    TURN_LOST,
    /** It cannot be published any more. */
    REFUSED,
    /** Whether the commit is real cannot be told. */
    UNKNOWN
  }

  private final RunUnit unit;
  private final AttemptReports reports;

  Publication(RunUnit unit, AttemptReports reports) {
    this.unit = unit;
    this.reports = reports;
  }

  /**
   * Publishes under the turn of {@code table} and tells how it went.
   *
   * @throws WorkFailedException if neither a commit nor a refusal came of it
   */
  Result run(FencedTable table, Prepared prepared)
      throws WorkFailedException, WorkCancelledException {
    HeldTurn held = table.held();
    String stale = staleness(table, prepared);
    if (stale != null) {
      reports.head(held.head());
      reports.refused(held.turn(), FailureCode.STALE_PREPARATION, stale);
      return Result.REFUSED;
    }
    PublishOutcome outcome =
        table.commit(
            prepared.artifact().readVersion(),
            prepared.operation(table.dataset()),
            prepared.mergedThrough(),
            true);
    Answer answer = outcome.match(new Telling(held.turn(), prepared));
    if (answer.failure() != null) {
      throw answer.failure();
    }
    return answer.result();
  }

  private @Nullable String staleness(FencedTable table, Prepared prepared) {
    long incarnation = table.held().head().tableIncarnation();
    if (incarnation != unit.tableIncarnation()) {
      return "expected incarnation "
          + unit.tableIncarnation()
          + " of the table, but it is "
          + incarnation;
    }
    String stale = prepared.staleness(table.dataset(), table.held().head());
    return stale != null ? stale : prepared.files().difference();
  }

  private record Answer(Result result, @Nullable WorkFailedException failure) {}

  private final class Telling implements PublishOutcome.Cases<Answer> {
    private final long turn;
    private final Prepared prepared;

    private Telling(long turn, Prepared prepared) {
      this.turn = turn;
      this.prepared = prepared;
    }

    @Override
    public Answer published(PublishOutcome.Published outcome) {
      reports.head(outcome.head());
      reports.published(
          turn,
          List.of(outcome.head().version()),
          prepared.mergedThrough(),
          prepared.artifact().rows(),
          prepared.artifact().files());
      return new Answer(Result.PUBLISHED, null);
    }

    @Override
    public Answer conflict(PublishOutcome.Conflict outcome) {
      reports.head(outcome.held().head());
      return refused(outcome.code(), outcome.message());
    }

    @Override
    public Answer fenced(PublishOutcome.Fenced outcome) {
      reports.head(outcome.head());
      return refused(outcome.code(), outcome.message());
    }

    @Override
    public Answer unknown(PublishOutcome.Unknown outcome) {
      reports.failed("PUBLISH", outcome.code().name(), outcome.message(), null);
      return new Answer(Result.UNKNOWN, null);
    }

    private Answer refused(FailureCode code, String message) {
      if (code.failureClass() != FailureClass.STALE) {
        return new Answer(Result.REFUSED, new WorkFailedException(code, message));
      }
      reports.refused(turn, code, message);
      boolean filesAreGood = code == FailureCode.TURN_LOST || code == FailureCode.STALE_TURN;
      return new Answer(filesAreGood ? Result.TURN_LOST : Result.REFUSED, null);
    }
  }
}
