package io.turnkeeper.core.table;

import io.turnkeeper.core.Attempt;
import io.turnkeeper.core.FailureCode;
import io.turnkeeper.core.FailureCode.FailureClass;
import io.turnkeeper.core.Kind;
import io.turnkeeper.core.Now;
import io.turnkeeper.core.PoolId;
import io.turnkeeper.core.table.ClaimEvent.UnitReleased;
import io.turnkeeper.core.table.PlacementEvent.ExecutorLost;
import io.turnkeeper.core.table.PlacementEvent.PlacementRefused;
import io.turnkeeper.core.table.PlacementEvent.UnitPlaced;
import io.turnkeeper.core.table.PublishEvent.BadGeneration;
import io.turnkeeper.core.table.PublishEvent.UnitFailed;
import io.turnkeeper.core.table.PublishEvent.UnitNoOp;
import io.turnkeeper.core.table.PublishEvent.UnitPublished;
import io.turnkeeper.core.table.TableState.Draft;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** How a unit is placed, retried and ended. */
final class UnitFold {
  private UnitFold() {}

  static TableState placed(TableState before, UnitPlaced event, Now now) {
    Attempt attempt = event.attempt();
    if (before.held(attempt) != null) {
      return before; // Told again.
    }
    Unit unit = before.live(attempt.unit());
    if (unit == null || !unit.awaits(event.pool(), attempt.number())) {
      // Nobody waits for this place any more; another of the same attempt may be on its way.
      return before.edit(draft -> release(draft, attempt, event.pool()));
    }
    Unit.Placement place =
        new Unit.Placement(attempt.executor(), attempt.incarnation(), event.reservedBytes());
    return before.edit(
        draft -> {
          draft.units.put(unit.kind(), unit.placed(place, now));
          List<TableState.Held> held = new ArrayList<>(draft.held);
          held.add(new TableState.Held(attempt, unit.kind(), event.pool()));
          draft.held = held;
        });
  }

  static TableState placementRefused(TableState before, PlacementRefused event, Now now) {
    if (event.code().equals(PlacementRefused.ASK_AGAIN)) {
      return before.edit(
          draft ->
              draft.ledger.replaceAll(
                  (key, failure) -> failure.needsMoreMemory() ? failure.dueBy(0) : failure));
    }
    Unit unit = before.live(event.unit());
    if (unit == null || !unit.awaits(event.pool(), event.attempt())) {
      return before;
    }
    return before.edit(
        draft -> {
          draft.units.remove(unit.kind());
          fail(draft, unit, event.code(), "no executor of the pool can hold it", null, now);
        });
  }

  /** The reservation is over, whatever became of the unit. */
  static TableState released(TableState before, UnitReleased event, Now now) {
    Attempt attempt = event.attempt();
    TableState.Held place = before.held(attempt);
    if (place == null) {
      return before; // It was given back before, or was never given.
    }
    Unit unit = before.live(attempt);
    return before.edit(
        draft -> {
          giveBack(draft, place);
          if (event.peakBytes() > 0) {
            draft.done.put(place.kind(), before.done(place.kind()).withPeak(event.peakBytes()));
          }
          if (unit != null) {
            draft.units.put(unit.kind(), unit.released(now));
          }
        });
  }

  /** A worker that will not run the unit gives it back for the next attempt. */
  static TableState declined(TableState before, Attempt attempt, String code, Now now) {
    Unit unit = before.live(attempt);
    if (unit == null) {
      return before;
    }
    TableState.Held place = before.held(attempt);
    return before.edit(
        draft -> {
          if (place != null) {
            giveBack(draft, place);
          }
          // What became of a turn that was given up is still to be found out.
          close(draft, unit);
          draft.units.put(
              unit.kind(), isLost(before, unit) ? unit.withoutPlacement() : unit.retried(now));
          fail(draft, unit, code, "handed back by " + attempt.executor(), null, now);
        });
  }

  static TableState executorLost(TableState before, ExecutorLost event, Now now) {
    // One that is only silent keeps each place until it says that nothing runs there any more.
    TableState after = event.silent() ? before : withoutPlacesOf(event, before);
    for (Unit unit : before.units().values()) {
      Unit.Placement place = unit.placement();
      if (place != null
          && place.executor().equals(event.executor())
          && place.incarnation() <= event.incarnation()) {
        after = attemptLost(after, unit, now);
      }
    }
    return after;
  }

  private static TableState withoutPlacesOf(ExecutorLost event, TableState before) {
    return before.edit(
        draft -> draft.held = draft.held.stream().filter(place -> !ran(event, place)).toList());
  }

  private static boolean ran(ExecutorLost event, TableState.Held place) {
    return place.attempt().executor().equals(event.executor())
        && place.attempt().incarnation() <= event.incarnation();
  }

  private static TableState attemptLost(TableState before, Unit unit, Now now) {
    TableState told = before.edit(draft -> abandon(draft, unit));
    boolean mayHaveCommitted = unit.kind() != Kind.OBSERVE;
    if (mayHaveCommitted && isLost(before, unit)) {
      return told.withUnit(unit.withoutPlacement()); // Being found out already.
    }
    if (mayHaveCommitted && before.turns().isOpenFor(unit.id().sequence())) {
      // It may have committed without saying so: a higher turn has to find out.
      return told.edit(
          draft -> {
            draft.turns = draft.turns.expired();
            draft.units.put(unit.kind(), unit.withoutPlacement());
          });
    }
    return told.edit(
        draft -> {
          close(draft, unit); // Only a look can still have its turn here, and it commits nothing.
          draft.units.put(unit.kind(), unit.retried(now));
          fail(draft, unit, FailureCode.EXECUTOR_LOST.name(), "its executor is gone", null, now);
        });
  }

  static TableState published(TableState before, UnitPublished event, Now now) {
    Unit unit = before.live(event.attempt());
    boolean needsTurn = event.turn() != 0 || (unit != null && !unit.isPlainLook());
    if (unit == null || (needsTurn && !holds(before, unit, event.turn()))) {
      return before;
    }
    return before.edit(
        draft -> {
          close(draft, unit);
          long version =
              event.versions().isEmpty() ? 0 : event.versions().get(event.versions().size() - 1);
          DemandFold.merged(draft, event.mergedThrough());
          succeed(draft, unit, version, event.peakBytes(), now);
        });
  }

  static TableState foundNothing(TableState before, UnitNoOp event, Now now) {
    Unit unit = before.live(event.attempt());
    if (unit == null) {
      return before;
    }
    return before.edit(
        draft -> {
          close(draft, unit);
          foundNothing(draft, unit, event.version(), event.reason(), now);
        });
  }

  static TableState failed(TableState before, UnitFailed event, Now now) {
    Unit unit = before.live(event.attempt());
    if (unit == null) {
      return before;
    }
    if (FailureCode.of(event.code()).failureClass() == FailureClass.OWNERSHIP
        && unit.kind() != Kind.OBSERVE
        && before.turns().isOpenFor(unit.id().sequence())) {
      return before.edit(
          draft -> {
            draft.turns = draft.turns.expired();
            draft.units.put(unit.kind(), unit.withoutPlacement());
            enter(draft, Failure.key(unit.kind()), event.code(), event.message(), now);
          });
    }
    return before.edit(
        draft -> {
          close(draft, unit);
          fail(draft, unit, event.code(), event.message(), event.badGeneration(), now);
        });
  }

  static TableState failedByRule(TableState before, UnitDecision.FailUnit decision, Now now) {
    Unit unit = before.live(decision.unit());
    if (unit == null) {
      return before;
    }
    if (FailureCode.of(decision.code()) == FailureCode.CLAIM_TIMEOUT) {
      return before.edit(
          draft -> {
            abandon(draft, unit);
            draft.units.put(unit.kind(), unit.retried(now));
            fail(draft, unit, decision.code(), decision.message(), null, now);
          });
    }
    return before.edit(
        draft -> {
          if (unit.kind() != Kind.OBSERVE && draft.turns.isOpenFor(unit.id().sequence())) {
            draft.turns = draft.turns.expired();
          }
          abandon(draft, unit);
          takeBack(draft, unit);
          close(draft, unit);
          fail(draft, unit, decision.code(), decision.message(), null, now);
        });
  }

  private static void foundNothing(Draft draft, Unit unit, long version, String reason, Now now) {
    Kind kind = unit.kind();
    if (kind == Kind.MERGE_WAL || kind == Kind.OBSERVE) {
      // Nothing they could find makes them needless: without a pause they would begin again.
      enter(draft, Failure.key(kind), FailureCode.NOTHING_TO_DO.name(), reason, now);
      return;
    }
    Done known = draft.done.getOrDefault(kind, Done.NOTHING);
    draft.done.put(kind, known.foundNothing(version, now.atMillis()));
    Failure failure = draft.ledger.get(Failure.key(kind));
    if (failure != null && !failure.isStalePreparation()) {
      // It may only have kept clear of another's fragments: what went stale is not published yet.
      draft.ledger.remove(Failure.key(kind));
    }
  }

  /** Ends a unit whose commit is certain. */
  static void succeed(Draft draft, Unit unit, long version, long peakBytes, Now now) {
    draft.units.remove(unit.kind());
    Done done =
        draft
            .done
            .getOrDefault(unit.kind(), Done.NOTHING)
            .published(version, peakBytes, now.atMillis());
    if (version == 0 && draft.observation != null) {
      // The table is as it was seen, so there is no more to do until it is seen to have changed.
      done = done.foundNothing(draft.observation.version(), now.atMillis());
    }
    draft.done.put(unit.kind(), done);
    draft.ledger.remove(Failure.key(unit.kind()));
    if (unit.kind() == Kind.REPAIR) {
      draft.ledger.removeIf(Failure::isMendedByRepair);
    }
    if (unit.spec() instanceof WorkSpec.MergeWal merge) {
      merge.ranges().keySet().stream()
          // A bad generation behind what was merged is as bad as before.
          .filter(id -> draft.shards.getOrDefault(id, Shard.EMPTY).badGeneration() == 0)
          .forEach(id -> draft.ledger.remove(Failure.key(unit.kind(), id)));
    }
  }

  /** Whether the unit's turn was given up and is being found out. */
  private static boolean isLost(TableState state, Unit unit) {
    Turns.Turn lost = state.turns().unresolved();
    return lost != null && lost.unit() == unit.id().sequence();
  }

  private static boolean holds(TableState state, Unit unit, long turn) {
    Turns.Turn open = state.turns().open();
    return open != null && open.number() == turn && open.unit() == unit.id().sequence();
  }

  private static void close(Draft draft, Unit unit) {
    draft.units.remove(unit.kind());
    if (draft.turns.isOpenFor(unit.id().sequence())) {
      draft.turns = draft.turns.closed();
    }
  }

  private static void release(Draft draft, Attempt attempt, PoolId pool) {
    release(
        draft,
        new TableState.Released(
            attempt.unit(), attempt.number(), pool, attempt.executor(), attempt.incarnation()));
  }

  private static void release(Draft draft, TableState.Released place) {
    List<TableState.Released> released = new ArrayList<>(draft.released);
    released.add(place);
    draft.released = released;
  }

  private static void giveBack(Draft draft, TableState.Held place) {
    draft.held = draft.held.stream().filter(other -> !other.equals(place)).toList();
    release(draft, place.attempt(), place.pool());
  }

  /** A unit that ends while it waits for a place wants none any more. */
  static void takeBack(Draft draft, Unit unit) {
    Unit.Asked asked = unit.asked();
    if (asked != null && unit.awaits(asked.pool(), unit.attempt())) {
      release(draft, new TableState.Released(unit.id(), unit.attempt(), asked.pool(), null, 0));
    }
  }

  /** Whoever still runs the attempt is told to stop, now or when it wakes up. */
  static void abandon(Draft draft, Unit unit) {
    if (unit.placement() != null) {
      List<Attempt> abandoned = new ArrayList<>(draft.abandoned);
      abandoned.add(unit.current());
      draft.abandoned = abandoned;
    }
  }

  static void fail(
      Draft draft, Unit unit, String code, String message, @Nullable BadGeneration bad, Now now) {
    if (FailureCode.of(code) == FailureCode.SUPERSEDED) {
      return;
    }
    if (FailureCode.of(code).failureClass() == FailureClass.NOOP) {
      long version = draft.observation == null ? 0 : draft.observation.version();
      foundNothing(draft, unit, version, message, now);
      return;
    }
    if (bad == null) {
      enter(draft, Failure.key(unit.kind()), code, message, now);
      return;
    }
    draft.shards.computeIfPresent(
        bad.shard(), (id, shard) -> shard.withBadGeneration(bad.generation()));
    enter(draft, Failure.key(Kind.MERGE_WAL, bad.shard()), code, message, now);
  }

  static void enter(Draft draft, String key, String code, String message, Now now) {
    draft.ledger.put(key, Failure.after(draft.ledger.get(key), code, message, now.atMillis()));
  }
}
