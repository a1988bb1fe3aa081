package io.turnkeeper.core.table;

import io.turnkeeper.core.Attempt;
import io.turnkeeper.core.FailureCode;
import io.turnkeeper.core.Now;
import io.turnkeeper.core.table.Assignment.GrantTurn;
import io.turnkeeper.core.table.PublishEvent.HeadObserved;
import io.turnkeeper.core.table.PublishEvent.PublishRefused;
import io.turnkeeper.core.table.TableState.Draft;
import io.turnkeeper.core.table.Turns.Turn;
import io.turnkeeper.core.table.UnitDecision.ExpireTurn;
import io.turnkeeper.core.table.UnitDecision.WithdrawGrant;
import org.jspecify.annotations.Nullable;

/** How turns are given, taken, given up and resolved. */
final class TurnFold {
  /** Grants an attempt may let pass, each confirmed by a probe, before it is given up. */
  private static final int MAX_IGNORED_GRANTS = 3;

  private TurnFold() {}

  static TableState granted(TableState before, GrantTurn decision, Now now) {
    Unit unit = before.live(decision.attempt());
    if (unit == null) {
      throw new IllegalStateException("expected a live unit for " + decision);
    }
    Turn turn = new Turn(decision.turn(), unit.kind(), unit.id().sequence(), now.atMillis());
    return before.edit(
        draft -> {
          draft.turns = draft.turns.granted(turn);
          draft.units.put(unit.kind(), unit.granted(now));
        });
  }

  static TableState taken(TableState before, Attempt attempt, long number, Now now) {
    Unit unit = before.live(attempt);
    Turn open = before.turns().open();
    if (unit == null
        || open == null
        || open.number() != number
        || open.unit() != unit.id().sequence()
        || unit.phase() != Unit.Phase.GRANTED) {
      return before;
    }
    return before.withUnit(unit.taken(now));
  }

  /** An attempt that lets grant after grant pass has ended without a last word. */
  static TableState withdrawn(TableState before, WithdrawGrant decision, Now now) {
    Unit unit = before.live(decision.unit());
    return before.edit(
        draft -> {
          draft.turns = draft.turns.closed();
          if (unit == null) {
            return;
          }
          if (unit.ignoredGrants() + 1 < MAX_IGNORED_GRANTS) {
            draft.units.put(unit.kind(), unit.ignoringGrant(now));
          } else {
            UnitFold.abandon(draft, unit);
            draft.units.put(unit.kind(), unit.retried(now));
            UnitFold.fail(
                draft, unit, FailureCode.TIMEOUT.name(), "took none of its turns", null, now);
          }
        });
  }

  static TableState expired(TableState before, ExpireTurn decision, Now now) {
    return before.edit(draft -> draft.turns = draft.turns.expired());
  }

  /** Nothing was committed under the turn. */
  static TableState refused(TableState before, PublishRefused event, Now now) {
    Unit unit = before.live(event.attempt());
    Turn open = before.turns().open();
    if (unit == null
        || open == null
        || open.number() != event.turn()
        || open.unit() != unit.id().sequence()) {
      return before;
    }
    boolean filesAreGood = FailureCode.of(event.code()).endsOnlyTheTurn();
    return before.edit(
        draft -> {
          draft.turns = draft.turns.closed();
          if (filesAreGood) {
            draft.units.put(unit.kind(), unit.backToWaiting(now));
            UnitFold.enter(draft, Failure.key(unit.kind()), event.code(), event.message(), now);
          } else {
            draft.units.remove(unit.kind());
            UnitFold.fail(draft, unit, event.code(), event.message(), null, now);
          }
        });
  }

  /** The authority's word counts whatever unit is live. */
  static TableState headObserved(TableState before, HeadObserved event, Now now) {
    if (event.tableIncarnation() != before.incarnation()) {
      return before;
    }
    return before.edit(
        draft -> {
          draft.head = draft.head.raisedTo(event);
          draft.turns = draft.turns.raisedTo(event.highestTurn());
          DemandFold.merged(draft, event.mergedThrough());
          publishIfCommitted(draft, before.live(event.unit()), event, now);
          resolve(draft, before, event, now);
        });
  }

  /** A unit that committed and could not say so is found out by the next one that looks. */
  private static void publishIfCommitted(
      Draft draft, @Nullable Unit unit, HeadObserved event, Now now) {
    if (unit == null || unit.attempt() != event.unitAttempt()) {
      return;
    }
    Turn open = draft.turns.open();
    boolean stillReporting =
        open != null && open.unit() == unit.id().sequence() && open.number() == event.turn();
    if (stillReporting) {
      return; // Its own report says more, and closes the turn.
    }
    if (draft.turns.isOpenFor(unit.id().sequence())) {
      draft.turns = draft.turns.closed(); // It committed under an earlier grant, taken late.
    }
    UnitFold.succeed(draft, unit, event.version(), 0, now);
  }

  private static void resolve(Draft draft, TableState before, HeadObserved event, Now now) {
    Turn lost = draft.turns.unresolved();
    if (lost == null) {
      return;
    }
    boolean committed = event.turn() == lost.number();
    boolean fenced = event.highestTurn() > lost.number();
    if (!committed && !fenced) {
      return;
    }
    draft.turns = draft.turns.resolved();
    Unit unit = before.live(lost.unit());
    if (unit == null || !draft.units.containsValue(unit)) {
      return; // Ended meanwhile, or just found to be published.
    }
    if (unit.placement() == null) {
      draft.units.put(unit.kind(), unit.retried(now));
      UnitFold.fail(
          draft,
          unit,
          FailureCode.EXECUTOR_LOST.name(),
          "lost its executor in its turn",
          null,
          now);
    } else {
      draft.units.put(unit.kind(), unit.backToWaiting(now));
      UnitFold.enter(
          draft,
          Failure.key(unit.kind()),
          FailureCode.TURN_LOST.name(),
          "turn " + lost.number() + " was given up and not committed",
          now);
    }
  }
}
