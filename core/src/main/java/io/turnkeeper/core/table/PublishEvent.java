package io.turnkeeper.core.table;

import io.turnkeeper.core.Attempt;
import io.turnkeeper.core.FrozenMap;
import io.turnkeeper.core.Now;
import io.turnkeeper.core.Require;
import io.turnkeeper.core.ShardId;
import io.turnkeeper.core.TableId;
import java.util.List;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/** What happened at the authority, and how an attempt ended. */
public sealed interface PublishEvent extends TableEvent, AttemptReport {
  @Override
  default TableId table() {
    return attempt().table();
  }

  /** The worker holds turn {@code turn} in the authority. */
  record TurnTaken(Attempt attempt, long turn) implements PublishEvent {
    public TurnTaken {
      Require.positive("turn", turn);
    }

    @Override
    public TableState applyTo(TableState before, Now now) {
      return TurnFold.taken(before, attempt, turn, now);
    }
  }

  /**
   * The unit's result is in the table.
   *
   * @param turn the turn it was committed under, 0 for work without a turn
   * @param versions the versions it committed, in order; empty if it committed nothing
   * @param mergedThrough per shard, the newest generation that is now in the table
   * @param peakBytes the most memory it used, 0 if not measured
   */
  record UnitPublished(
      Attempt attempt,
      long turn,
      List<Long> versions,
      SortedMap<ShardId, Long> mergedThrough,
      long rows,
      long files,
      long peakBytes)
      implements PublishEvent {
    public UnitPublished {
      Require.count("turn", turn);
      Require.count("rows", rows);
      Require.count("files", files);
      Require.count("peakBytes", peakBytes);
      versions = List.copyOf(versions);
      mergedThrough = FrozenMap.copyOf(mergedThrough);
    }

    @Override
    public TableState applyTo(TableState before, Now now) {
      return UnitFold.published(before, this, now);
    }
  }

  /** The turn or the commit was refused; nothing was committed under {@code turn}. */
  record PublishRefused(Attempt attempt, long turn, String code, String message)
      implements PublishEvent {
    public PublishRefused {
      Require.count("turn", turn);
      Require.text("code", code);
      Require.text("message", message);
    }

    @Override
    public TableState applyTo(TableState before, Now now) {
      return TurnFold.refused(before, this, now);
    }
  }

  /** Which generation of which shard cannot be read. */
  record BadGeneration(ShardId shard, long generation) {
    public BadGeneration {
      Require.positive("generation", generation);
    }
  }

  /**
   * The attempt failed and committed nothing, unless the code is {@code OUTCOME_UNKNOWN}.
   *
   * @param phase where: PREPARE, TAKE, VALIDATE or PUBLISH
   * @param badGeneration set with {@code INVALID_WAL}
   */
  record UnitFailed(
      Attempt attempt,
      String phase,
      String code,
      String message,
      @Nullable BadGeneration badGeneration)
      implements PublishEvent {
    public UnitFailed {
      Require.text("phase", phase);
      Require.text("code", code);
      Require.text("message", message);
    }

    @Override
    public TableState applyTo(TableState before, Now now) {
      return UnitFold.failed(before, this, now);
    }
  }

  /**
   * There was nothing to do at this version.
   *
   * @param version the version that was looked at
   */
  record UnitNoOp(Attempt attempt, long version, String reason) implements PublishEvent {
    public UnitNoOp {
      Require.count("version", version);
      Require.text("reason", reason);
    }

    @Override
    public TableState applyTo(TableState before, Now now) {
      return UnitFold.foundNothing(before, this, now);
    }
  }

  /**
   * What the authority said the table's head is. It counts whatever unit is live.
   *
   * @param attempt who asked
   * @param version the newest committed version
   * @param turn the turn it was committed under, 0 if it was adopted at registration
   * @param unit the sequence of the unit that committed it, 0 if adopted
   * @param unitAttempt that unit's attempt, 0 if adopted
   * @param highestTurn the highest turn ever taken
   */
  record HeadObserved(
      Attempt attempt,
      long tableIncarnation,
      long version,
      long turn,
      long unit,
      int unitAttempt,
      long highestTurn,
      SortedMap<ShardId, Long> mergedThrough)
      implements PublishEvent {
    public HeadObserved {
      Require.positive("tableIncarnation", tableIncarnation);
      Require.count("version", version);
      Require.count("turn", turn);
      Require.count("unit", unit);
      Require.count("unitAttempt", unitAttempt);
      if (Require.count("highestTurn", highestTurn) == Require.MAX_NUMBER) {
        throw new IllegalArgumentException("expected a turn above highestTurn to exist");
      }
      mergedThrough = FrozenMap.copyOf(mergedThrough);
    }

    @Override
    public TableState applyTo(TableState before, Now now) {
      return TurnFold.headObserved(before, this, now);
    }
  }
}
