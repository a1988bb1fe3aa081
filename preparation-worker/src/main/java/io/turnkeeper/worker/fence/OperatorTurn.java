package io.turnkeeper.worker.fence;

import io.turnkeeper.authority.Authority;
import io.turnkeeper.authority.AuthorityUnavailableException;
import io.turnkeeper.authority.Deadline;
import io.turnkeeper.authority.Head;
import io.turnkeeper.authority.HeldTurn;
import io.turnkeeper.authority.TakeOutcome;
import io.turnkeeper.core.Attempt;
import io.turnkeeper.core.ExecutorId;
import io.turnkeeper.core.FailureCode;
import io.turnkeeper.core.TableId;
import io.turnkeeper.core.UnitId;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A turn that an operator takes from whoever holds one: the next number above the highest. The
 * scheduler finds out when its own number is refused, and counts on from there.
 *
 * @param held the turn, null if it was refused
 * @param refusal why it was refused, null if it was not
 */
record OperatorTurn(@Nullable HeldTurn held, @Nullable Refusal refusal) {
  private static final ExecutorId OPERATOR = new ExecutorId("operator");
  private static final Duration TTL = Duration.ofSeconds(30);

  static OperatorTurn take(Authority authority, TableId table, Deadline deadline) {
    // No unit of the scheduler; what is committed under it names none.
    Attempt attempt = new Attempt(new UnitId(table, 1), 1, OPERATOR, 1);
    while (true) {
      Optional<Head> head;
      try {
        head = authority.head(table, deadline);
      } catch (AuthorityUnavailableException e) {
        return refused(FailureCode.AUTHORITY_UNAVAILABLE, String.valueOf(e.getMessage()));
      }
      if (head.isEmpty()) {
        return refused(
            FailureCode.NO_SUCH_TABLE, "expected " + table + " to be registered, but it is not");
      }
      TakeOutcome outcome = authority.take(attempt, head.get().highestTurn() + 1, TTL, deadline);
      Optional<OperatorTurn> taken = outcome.match(new Answer());
      if (taken.isPresent()) {
        return taken.get();
      }
    }
  }

  private static OperatorTurn refused(FailureCode code, String message) {
    return new OperatorTurn(null, new Refusal(code, message));
  }

  /** Empty if somebody was faster and the next number is to be tried. */
  private static final class Answer implements TakeOutcome.Cases<Optional<OperatorTurn>> {
    @Override
    public Optional<OperatorTurn> taken(TakeOutcome.Taken outcome) {
      return Optional.of(new OperatorTurn(outcome.held(), null));
    }

    @Override
    public Optional<OperatorTurn> staleTurn(TakeOutcome.StaleTurn outcome) {
      return Optional.empty();
    }

    @Override
    public Optional<OperatorTurn> noSuchTable(TakeOutcome.NoSuchTable outcome) {
      return Optional.of(refused(FailureCode.NO_SUCH_TABLE, outcome.table() + " was dropped"));
    }

    @Override
    public Optional<OperatorTurn> unavailable(TakeOutcome.Unavailable outcome) {
      return Optional.of(refused(FailureCode.AUTHORITY_UNAVAILABLE, outcome.reason()));
    }
  }
}
