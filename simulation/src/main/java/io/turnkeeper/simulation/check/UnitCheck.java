package io.turnkeeper.simulation.check;

import io.turnkeeper.core.Decided;
import io.turnkeeper.core.Event;
import io.turnkeeper.core.Now;
import io.turnkeeper.core.TableId;
import io.turnkeeper.core.UnitId;
import io.turnkeeper.core.partition.PartitionState;
import io.turnkeeper.core.table.TableDecision;
import io.turnkeeper.core.table.TableState;
import io.turnkeeper.core.table.Unit;
import io.turnkeeper.core.table.UnitDecision.OpenUnit;
import io.turnkeeper.simulation.world.Tally;
import io.turnkeeper.simulation.world.Violation;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Invariants 2 and 10: one live unit of a kind, unit numbers never restart, and a unit ends exactly
 * once.
 */
public final class UnitCheck implements Check<TableState, TableDecision> {
  private final Tally tally;
  private final Waits waits;
  private final Map<TableId, Long> lastOpened = new HashMap<>();
  private final Set<UnitId> ended = new HashSet<>();

  public UnitCheck(Tally tally, Waits waits) {
    this.tally = tally;
    this.waits = waits;
  }

  @Override
  public void folded(Event event, TableState before, TableState after, Now now) {
    if (before.units() != after.units()) {
      compare(event, before, after, now);
    }
  }

  @Override
  public void decided(
      Decided<TableDecision> decided,
      TableState before,
      TableState after,
      PartitionState partition) {
    if (decided.decision() instanceof OpenUnit open) {
      Violation.unless(
          open.unit().sequence() > lastOpened.getOrDefault(open.table(), 0L),
          "10: unit numbers never restart",
          () -> open + " after " + lastOpened.get(open.table()));
      lastOpened.put(open.table(), open.unit().sequence());
    }
    if (before.units() != after.units()) {
      compare(decided.decision(), before, after, partition.now());
    }
  }

  private void compare(Object cause, TableState before, TableState after, Now now) {
    after
        .units()
        .forEach(
            (kind, unit) -> {
              Violation.unless(
                  unit.kind() == kind, "2: one live unit of a kind", () -> kind + ": " + unit);
              Violation.unless(
                  !ended.contains(unit.id()),
                  "10: a unit ends exactly once",
                  () -> unit + " lives again after " + cause);
            });
    for (Unit unit : before.units().values()) {
      Unit now1 = after.units().get(unit.kind());
      if (now1 == null || !now1.id().equals(unit.id())) {
        ended.add(unit.id());
        String ending = ending(cause.getClass().getSimpleName());
        tally.count("unit ended: " + unit.kind() + " " + ending);
        if (ending.startsWith("published")) {
          waits.published(unit.kind(), now.atMillis() - unit.requestedAtMillis());
        }
      }
    }
  }

  private static String ending(String cause) {
    return switch (cause) {
      case "UnitPublished" -> "published";
      case "HeadObserved" -> "published, found out by another";
      case "UnitNoOp" -> "nothing to do";
      case "UnitFailed", "FailUnit" -> "failed or cancelled";
      case "PublishRefused" -> "refused";
      case "PlacementRefused" -> "fits nowhere";
      case "TableDropped", "TableRegistered" -> "table dropped";
      case "OpenUnit" -> "gave way to a look for a lost turn";
      default -> cause;
    };
  }
}
