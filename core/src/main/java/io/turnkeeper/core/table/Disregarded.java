package io.turnkeeper.core.table;

import io.turnkeeper.core.Attempt;
import org.jspecify.annotations.Nullable;

/** Why a report changed nothing, so that zombies and repetitions can be counted. */
public enum Disregarded {
  /** The unit ended, or never was. */
  NO_SUCH_UNIT,
  /** The unit is at another attempt. */
  OTHER_ATTEMPT,
  /** The attempt runs on another executor, or on a later start of this one. */
  OTHER_INCARNATION,
  /** It does not fit the turn or the phase the unit is in, or was known already. */
  NOTHING_NEW;

  /** Why {@code event} left the table as it was; null if it did not, or tells no outcome. */
  public static @Nullable Disregarded of(TableEvent event, TableState before, TableState after) {
    if (!(event instanceof AttemptReport report) || !after.equals(before)) {
      return null;
    }
    Attempt attempt = report.attempt();
    Unit unit = before.live(attempt.unit());
    if (unit == null) {
      return NO_SUCH_UNIT;
    }
    if (unit.attempt() != attempt.number()) {
      return OTHER_ATTEMPT;
    }
    return unit.matches(attempt) ? NOTHING_NEW : OTHER_INCARNATION;
  }
}
