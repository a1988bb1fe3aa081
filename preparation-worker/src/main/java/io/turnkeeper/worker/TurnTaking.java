package io.turnkeeper.worker;

import io.turnkeeper.authority.Deadline;
import io.turnkeeper.authority.HeldTurn;
import io.turnkeeper.authority.TakeOutcome;
import io.turnkeeper.core.FailureCode;
import io.turnkeeper.core.table.Assignment.GrantTurn;
import io.turnkeeper.worker.work.WorkCancelledException;
import io.turnkeeper.worker.work.WorkFailedException;
import org.jspecify.annotations.Nullable;

/** Takes a granted turn in the authority, and tells what came of it. */
final class TurnTaking {
  private final Equipment equipment;
  private final AttemptReports reports;

  TurnTaking(Equipment equipment, AttemptReports reports) {
    this.equipment = equipment;
    this.reports = reports;
  }

  /** Waits for a grant that the authority confirms. */
  HeldTurn await(AttemptControl control)
      throws WorkFailedException, WorkCancelledException, InterruptedException {
    while (true) {
      HeldTurn held = take(control.awaitGrant());
      if (held != null) {
        return held;
      }
    }
  }

  /**
   * Takes the turn.
   *
   * @return the turn, or null if it was refused; the attempt then waits for another
   */
  @Nullable HeldTurn take(GrantTurn grant) throws WorkFailedException {
    TakeOutcome outcome =
        equipment
            .authority()
            .take(
                reports.attempt(), grant.turn(), Patience.TURN_TTL, Deadline.after(Patience.TAKE));
    Answer answer = outcome.match(new Telling(grant.turn()));
    if (answer.failure() != null) {
      throw answer.failure();
    }
    return answer.held();
  }

  /** Gives back a turn that is still held; whatever the answer, it is held no longer. */
  void release(HeldTurn held) {
    equipment.authority().release(held, Deadline.after(Patience.RELEASE));
  }

  private record Answer(@Nullable HeldTurn held, @Nullable WorkFailedException failure) {}

  private final class Telling implements TakeOutcome.Cases<Answer> {
    private final long turn;

    private Telling(long turn) {
      this.turn = turn;
    }

    @Override
    public Answer taken(TakeOutcome.Taken outcome) {
      reports.turnTaken(turn);
      reports.head(outcome.head());
      return new Answer(outcome.held(), null);
    }

    @Override
    public Answer staleTurn(TakeOutcome.StaleTurn outcome) {
      // First the head: it lets the numbering jump ahead before the next turn is granted.
      reports.head(outcome.head());
      reports.refused(
          turn,
          FailureCode.STALE_TURN,
          "expected a turn above " + outcome.head().highestTurn() + ", but it is " + turn);
      return new Answer(null, null);
    }

    @Override
    public Answer noSuchTable(TakeOutcome.NoSuchTable outcome) {
      return new Answer(
          null,
          new WorkFailedException(
              FailureCode.NO_SUCH_TABLE,
              "expected table " + outcome.table() + " in the authority, but it is not there"));
    }

    @Override
    public Answer unavailable(TakeOutcome.Unavailable outcome) {
      // Its number is used up; nothing is committed under it, so the files stay good.
      reports.refused(turn, FailureCode.AUTHORITY_UNAVAILABLE, outcome.reason());
      return new Answer(null, null);
    }
  }
}
