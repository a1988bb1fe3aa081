package io.turnkeeper.worker;

import io.turnkeeper.authority.HeldTurn;
import io.turnkeeper.core.FailureCode;
import io.turnkeeper.core.FailureCode.FailureClass;
import io.turnkeeper.core.table.Assignment.RunUnit;
import io.turnkeeper.worker.fence.FencedTable;
import io.turnkeeper.worker.fence.PublishOutcome;
import io.turnkeeper.worker.work.Prepared;
import io.turnkeeper.worker.work.Staleness;
import io.turnkeeper.worker.work.WorkCancelledException;
import io.turnkeeper.worker.work.WorkFailedException;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Validates a preparation against the table of a held turn, and commits it. */
final class Publication {

  /** What came of it. */
  enum Result {
    /** The commit is real. */
    PUBLISHED,
    /** The turn came to nothing; the files are good for another. */
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
   * Whether the preparation can no longer be published; that is told.
   *
   * @throws WorkFailedException if the table cannot be read
   */
  boolean isStale(FencedTable table, Prepared prepared)
      throws WorkFailedException, WorkCancelledException {
    HeldTurn held = table.held();
    Optional<String> stale =
        held.head().tableIncarnation() == unit.tableIncarnation()
            ? Staleness.of(prepared, table.dataset(), held.head())
            : Optional.of(
                "expected incarnation "
                    + unit.tableIncarnation()
                    + " of the table, but it is "
                    + held.head().tableIncarnation());
    if (stale.isPresent()) {
      reports.head(held.head());
      reports.refused(held.turn(), FailureCode.STALE_PREPARATION, stale.get());
    }
    return stale.isPresent();
  }

  /**
   * Commits under the turn of {@code table} and tells how it went.
   *
   * @throws WorkFailedException if nothing was committed, for a reason of its own
   */
  Result commit(FencedTable table, Prepared prepared) throws WorkFailedException {
    PublishOutcome outcome =
        table.commit(
            prepared.artifact().readVersion(),
            prepared.operation(table.dataset()),
            prepared.mergedThrough(),
            true);
    Answer answer = outcome.match(new Telling(table.held().turn(), prepared));
    if (answer.failure() != null) {
      throw answer.failure();
    }
    return answer.result();
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
      boolean again = code.endsOnlyTheTurn();
      if (!again && code.failureClass() != FailureClass.STALE) {
        return new Answer(Result.REFUSED, new WorkFailedException(code, message));
      }
      reports.refused(turn, code, message);
      return new Answer(again ? Result.TURN_LOST : Result.REFUSED, null);
    }
  }
}
