package io.turnkeeper.core.table;

import io.turnkeeper.core.ExecutorId;
import io.turnkeeper.core.Kind;
import io.turnkeeper.core.Now;
import io.turnkeeper.core.PoolId;
import io.turnkeeper.core.Require;
import io.turnkeeper.core.TableId;
import io.turnkeeper.core.UnitId;
import org.jspecify.annotations.Nullable;

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

  /**
   * Give the pool back what it reserved.
   *
   * @param executor on which it was; null if it is not known, or was never heard
   * @param incarnation of the executor; 0 if there is none
   */
  record EndReservation(
      UnitId unit, int attempt, PoolId pool, @Nullable ExecutorId executor, long incarnation)
      implements UnitDecision {
    @Override
    public TableState applyTo(TableState before, Now now) {
      return before.edit(
          draft -> draft.released = draft.released.stream().filter(one -> !ends(one)).toList());
    }

    private boolean ends(TableState.Released other) {
      return unit.equals(other.unit())
          && attempt == other.attempt()
          && pool.equals(other.pool())
          && (executor == null
              || (executor.equals(other.executor()) && incarnation == other.incarnation()));
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
