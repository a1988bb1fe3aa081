package io.turnkeeper.core.table;

import io.turnkeeper.core.Attempt;
import io.turnkeeper.core.Kind;
import io.turnkeeper.core.Now;
import io.turnkeeper.core.Require;
import io.turnkeeper.core.TableId;

/** A decision that a worker carries out; it travels to the worker's executor as it is. */
public sealed interface Assignment extends TableDecision {
  Attempt attempt();

  @Override
  default TableId table() {
    return attempt().table();
  }

  /** Claim the unit and prepare it, or, for {@link Mode#INSIDE}, claim it and wait for the turn. */
  record RunUnit(
      Attempt attempt,
      Kind kind,
      Mode mode,
      WorkSpec spec,
      long tableIncarnation,
      String uri,
      String walUri,
      long reservedBytes)
      implements Assignment {
    @Override
    public TableState applyTo(TableState before, Now now) {
      Unit unit = before.live(attempt);
      return unit == null ? before : before.withUnit(unit.assigned(now));
    }
  }

  /**
   * Take this turn and publish.
   *
   * @param deadlineMillis the holder gives up when it has held the turn this long
   */
  record GrantTurn(Attempt attempt, long turn, long deadlineMillis) implements Assignment {
    public GrantTurn {
      Require.positive("turn", turn);
      Require.count("deadlineMillis", deadlineMillis);
    }

    @Override
    public TableState applyTo(TableState before, Now now) {
      return TurnFold.granted(before, this, now);
    }
  }

  /**
   * Stop the attempt and answer with {@code UnitFailed}, unless it progressed past {@code
   * sequence}.
   *
   * @param sequence the last progress the decision knew of; {@link Require#MAX_NUMBER} means never
   *     voided
   */
  record CancelUnit(Attempt attempt, long sequence, String code, String message)
      implements Assignment {
    public CancelUnit {
      Require.count("sequence", sequence);
      Require.text("code", code);
      Require.text("message", message);
    }

    @Override
    public TableState applyTo(TableState before, Now now) {
      Unit.Cancellation order =
          new Unit.Cancellation(sequence, code, message, now.observedMillis());
      return before
          .withAttempt(attempt, unit -> unit.cancelling(order, now))
          .withoutCancel(attempt.unit())
          .withoutAbandoned(attempt);
    }
  }
}
