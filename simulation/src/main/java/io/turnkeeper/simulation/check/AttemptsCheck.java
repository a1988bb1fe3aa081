package io.turnkeeper.simulation.check;

import io.turnkeeper.core.Event;
import io.turnkeeper.core.Kind;
import io.turnkeeper.core.Now;
import io.turnkeeper.core.TableId;
import io.turnkeeper.core.table.Mode;
import io.turnkeeper.core.table.PolicyEvent;
import io.turnkeeper.core.table.PublishEvent.PublishRefused;
import io.turnkeeper.core.table.PublishEvent.UnitPublished;
import io.turnkeeper.core.table.TableDecision;
import io.turnkeeper.core.table.TableState;
import io.turnkeeper.core.table.Unit;
import io.turnkeeper.simulation.world.Violation;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/** The last part of invariant 6: what keeps going stale gets published by the third attempt. */
public final class AttemptsCheck implements Check<TableState, TableDecision> {
  private static final Set<String> STALE = Set.of("STALE_PREPARATION", "CONFLICT");
  private static final long MOST_STALE = 2;

  private record Work(TableId table, Kind kind) {}

  private final Waits waits;
  private final Map<Work, Long> staleInARow = new HashMap<>();

  public AttemptsCheck(Waits waits) {
    this.waits = waits;
  }

  @Override
  public void folded(Event event, TableState before, TableState after, Now now) {
    if (event instanceof PolicyEvent) {
      // An operator who asks for another try at once forgets what went before.
      staleInARow.keySet().removeIf(work -> work.table().equals(before.table()));
    } else if (event instanceof PublishRefused refused && STALE.contains(refused.code())) {
      Unit unit = Units.find(before, refused.attempt().unit());
      if (unit != null && Units.find(after, unit.id()) == null) {
        stale(unit);
      }
    } else if (event instanceof UnitPublished published) {
      Unit unit = Units.find(before, published.attempt().unit());
      if (unit != null && Units.find(after, unit.id()) == null) {
        Long stale = staleInARow.remove(new Work(before.table(), unit.kind()));
        waits.attempted(unit.kind(), 1 + (stale == null ? 0 : stale));
      }
    }
  }

  /** Inside its turn nothing goes stale unless somebody commits around the turns. */
  private void stale(Unit unit) {
    long times = staleInARow.merge(new Work(unit.id().table(), unit.kind()), 1L, Long::sum);
    Violation.unless(
        times <= MOST_STALE || unit.mode() == Mode.INSIDE || unit.kind() == Kind.MERGE_WAL,
        "6: what keeps going stale is published by the third attempt",
        () -> unit + " went stale for the " + times + "th time in a row");
  }
}
