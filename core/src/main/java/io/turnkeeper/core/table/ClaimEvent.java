package io.turnkeeper.core.table;

import io.turnkeeper.core.Attempt;
import io.turnkeeper.core.Now;
import io.turnkeeper.core.Require;
import io.turnkeeper.core.TableId;

/** A worker took, refused or gave back a placement. */
public sealed interface ClaimEvent extends TableEvent, AttemptReport {
  @Override
  default TableId table() {
    return attempt().table();
  }

  /** The worker has the unit and begins. */
  record UnitClaimed(Attempt attempt) implements ClaimEvent {
    @Override
    public TableState applyTo(TableState before, Now now) {
      return before.withAttempt(attempt, unit -> unit.claimed(now));
    }
  }

  /** The worker will not run the unit, for example because it drains. */
  record UnitDeclined(Attempt attempt, String code) implements ClaimEvent {
    public UnitDeclined {
      Require.text("code", code);
    }

    @Override
    public TableState applyTo(TableState before, Now now) {
      return UnitFold.declined(before, attempt, code, now);
    }
  }

  /**
   * The worker holds nothing of the attempt any more: no process, no memory, no slot.
   *
   * @param peakBytes the most memory it used, 0 if not measured
   */
  record UnitReleased(Attempt attempt, long peakBytes) implements ClaimEvent {
    public UnitReleased {
      Require.count("peakBytes", peakBytes);
    }

    @Override
    public TableState applyTo(TableState before, Now now) {
      return UnitFold.released(before, this, now);
    }
  }
}
