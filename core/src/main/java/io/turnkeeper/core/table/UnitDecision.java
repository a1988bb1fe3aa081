package io.turnkeeper.core.table;

import io.turnkeeper.core.Kind;
import io.turnkeeper.core.Now;
import io.turnkeeper.core.PoolId;
import io.turnkeeper.core.Require;
import io.turnkeeper.core.TableId;
import io.turnkeeper.core.UnitId;

/** A decision about a unit that no worker has to hear of. */
public sealed interface UnitDecision extends TableDecision {
  UnitId unit();

  @Override
  default TableId table() {
    return unit().table();
  }

  /** Begin a new unit of work; {@link RequestPlacement} for it follows. */
  record OpenUnit(UnitId unit, Kind kind, Mode mode, WorkSpec spec) implements UnitDecision {
    @Override
    public TableState applyTo(TableState before, Now now) {
      return before.edit(
          draft -> {
            draft.units.put(kind, Unit.opened(unit, kind, mode, spec, now));
            draft.lastUnit = Math.max(draft.lastUnit, unit.sequence());
            draft.triggered = draft.triggered.stream().filter(other -> other != kind).toList();
          });
    }
  }

  /** Ask the pool for a place for this attempt, or tell it of a new rank. */
  record RequestPlacement(
      UnitId unit,
      int attempt,
      PoolId pool,
      Kind kind,
      int rank,
      double score,
      long waitSinceMillis,
      long expectedBytes)
      implements UnitDecision {
    public RequestPlacement {
      Require.positive("attempt", attempt);
      Require.count("rank", rank);
      Require.time("waitSinceMillis", waitSinceMillis);
      Require.count("expectedBytes", expectedBytes);
    }

    @Override
    public TableState applyTo(TableState before, Now now) {
      Unit live = before.live(unit);
      return live == null
          ? before
          : before.withUnit(
              live.asked(new Unit.Asked(pool, attempt, rank, Scores.log2(score), expectedBytes)));
    }
  }

  /** Take back a request that has not been answered. */
  record WithdrawPlacement(UnitId unit, int attempt, PoolId pool) implements UnitDecision {
    @Override
    public TableState applyTo(TableState before, Now now) {
      Unit live = before.live(unit);
      return live == null ? before : before.withUnit(live.asked(null));
    }
  }

  /** Give the pool back what it reserved. */
  record EndReservation(UnitId unit, int attempt, PoolId pool) implements UnitDecision {
    @Override
    public TableState applyTo(TableState before, Now now) {
      TableState.Released ended = new TableState.Released(unit, attempt, pool);
      return before.edit(
          draft ->
              draft.released =
                  draft.released.stream().filter(other -> !other.equals(ended)).toList());
    }
  }

  /** Close a turn that was never taken: the unit waits again, its files kept. */
  record WithdrawGrant(UnitId unit, long turn) implements UnitDecision {
    @Override
    public TableState applyTo(TableState before, Now now) {
      return TurnFold.withdrawn(before, this, now);
    }
  }

  /** Give up on a turn whose outcome is not known; a higher one must find it out. */
  record ExpireTurn(UnitId unit, long turn) implements UnitDecision {
    @Override
    public TableState applyTo(TableState before, Now now) {
      return TurnFold.expired(before, this, now);
    }
  }

  /** End the unit as failed. */
  record FailUnit(UnitId unit, int attempt, String code, String message) implements UnitDecision {
    public FailUnit {
      Require.text("code", code);
      Require.text("message", message);
    }

    @Override
    public TableState applyTo(TableState before, Now now) {
      return UnitFold.failedByRule(before, this, now);
    }
  }

  /** Write a probe into the topics that the silent worker would have used. */
  record SendProbe(UnitId unit, long number, ProbeTopic topic) implements UnitDecision {
    @Override
    public TableState applyTo(TableState before, Now now) {
      Unit live = before.live(unit);
      return live == null
          ? before
          : before
              .withUnit(live.suspected(number))
              .edit(draft -> draft.lastProbe = Math.max(draft.lastProbe, number));
    }
  }

  /** The topics whose silence is checked. */
  enum ProbeTopic {
    CLAIM,
    CHECKPOINT,
    PUBLISH
  }
}
