package io.turnkeeper.core.table;

import io.turnkeeper.core.Attempt;
import io.turnkeeper.core.FailureCode;
import io.turnkeeper.core.FailureCode.FailureClass;
import io.turnkeeper.core.Kind;
import io.turnkeeper.core.Now;
import io.turnkeeper.core.ShardId;
import io.turnkeeper.core.UnitId;
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
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/** How a unit is placed, retried and ended. */
final class UnitFold {
  private UnitFold() {}

  static TableState placed(TableState before, UnitPlaced event, Now now) {
    Attempt attempt = event.attempt();
    Unit unit = before.live(attempt.unit());
    if (unit == null
        || unit.attempt() != attempt.number()
        || unit.phase() != Unit.Phase.REQUESTED) {
      // Nobody waits for this place any more.
      return before.edit(draft -> release(draft, attempt.unit(), attempt.number()));
    }
    return before.withUnit(
        unit.placed(
            new Unit.Placement(attempt.executor(), attempt.incarnation(), event.reservedBytes()),
            now));
  }

  static TableState placementRefused(TableState before, PlacementRefused event, Now now) {
    Unit unit = before.live(event.unit());
    if (unit == null || unit.attempt() != event.attempt() || unit.phase() != Unit.Phase.REQUESTED) {
      return before;
    }
    return before.edit(
        draft -> {
          draft.units.remove(unit.kind());
          fail(draft, unit, event.code(), "no executor of the pool can hold it", null, now);
        });
  }

  static TableState released(TableState before, Attempt attempt) {
    return before.edit(draft -> release(draft, attempt.unit(), attempt.number()));
  }

  /** A worker that will not run the unit gives it back for the next attempt. */
  static TableState declined(TableState before, Attempt attempt, String code, Now now) {
    Unit unit = before.live(attempt);
    if (unit == null) {
      return before;
    }
    return before.edit(
        draft -> {
          release(draft, unit.id(), unit.attempt());
          draft.units.put(unit.kind(), unit.retried(now));
          fail(draft, unit, code, "handed back by " + attempt.executor(), null, now);
        });
  }

  static TableState executorLost(TableState before, ExecutorLost event, Now now) {
    TableState after = before;
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
    if (unit == null || (event.turn() != 0 && !holds(before, unit, event.turn()))) {
      return before;
    }
    return before.edit(
        draft -> {
          close(draft, unit);
          long version =
              event.versions().isEmpty() ? 0 : event.versions().get(event.versions().size() - 1);
          succeed(draft, unit, version, event.peakBytes(), now);
          DemandFold.merged(draft, event.mergedThrough());
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
          draft.done.put(
              unit.kind(), before.done(unit.kind()).foundNothing(event.version(), now.atMillis()));
          draft.ledger.remove(Failure.key(unit.kind()));
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
          close(draft, unit);
          fail(draft, unit, decision.code(), decision.message(), null, now);
        });
  }

  /** Ends a unit whose commit is certain. */
  static void succeed(Draft draft, Unit unit, long version, long peakBytes, Now now) {
    draft.units.remove(unit.kind());
    draft.done.merge(
        unit.kind(),
        Done.NOTHING.published(version, peakBytes, now.atMillis()),
        (known, ignored) -> known.published(version, peakBytes, now.atMillis()));
    draft.ledger.remove(Failure.key(unit.kind()));
    if (unit.spec() instanceof WorkSpec.MergeWal merge) {
      SortedMap<ShardId, WorkSpec.GenerationRange> ranges = merge.ranges();
      ranges.keySet().forEach(shard -> draft.ledger.remove(Failure.key(unit.kind(), shard)));
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

  private static void release(Draft draft, UnitId unit, int attempt) {
    List<TableState.Released> released = new ArrayList<>(draft.released);
    released.add(new TableState.Released(unit, attempt));
    draft.released = released;
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
    if (bad == null) {
      enter(draft, Failure.key(unit.kind()), code, message, now);
      return;
    }
    draft.shards.computeIfPresent(
        bad.shard(), (id, shard) -> shard.withBadGeneration(bad.generation()));
    enter(draft, Failure.key(Kind.MERGE_WAL, bad.shard()), code, message, now);
  }

  private static void enter(Draft draft, String key, String code, String message, Now now) {
    draft.ledger.put(key, Failure.after(draft.ledger.get(key), code, message, now.atMillis()));
  }
}
