package io.turnkeeper.core.table;

import io.turnkeeper.core.Now;
import io.turnkeeper.core.Require;
import io.turnkeeper.core.TableId;
import io.turnkeeper.core.UnitId;

/**
 * A mark that the application wrote into one of its own input topics. When it is read back,
 * everything that lay before it has been read too, so that silence may be believed.
 *
 * @param unit the unit whose silence is checked
 * @param number the probe's number, rising per table
 */
public record Probe(UnitId unit, long number) implements TableEvent {
  public Probe {
    Require.positive("number", number);
  }

  @Override
  public TableId table() {
    return unit.table();
  }

  @Override
  public TableState applyTo(TableState before, Now now) {
    Unit suspect = before.live(unit);
    return suspect == null ? before : before.withUnit(suspect.confirmedSilent(number));
  }
}
