package io.turnkeeper.simulation.check;

import io.turnkeeper.authority.Commit;
import io.turnkeeper.authority.Head;
import io.turnkeeper.authority.HeldTurn;
import io.turnkeeper.core.Attempt;
import io.turnkeeper.core.Decided;
import io.turnkeeper.core.Event;
import io.turnkeeper.core.Now;
import io.turnkeeper.core.TableId;
import io.turnkeeper.core.partition.PartitionState;
import io.turnkeeper.core.table.Assignment.GrantTurn;
import io.turnkeeper.core.table.TableDecision;
import io.turnkeeper.core.table.TableState;
import io.turnkeeper.core.table.Turns;
import io.turnkeeper.simulation.world.Tally;
import io.turnkeeper.simulation.world.Violation;
import java.util.HashMap;
import java.util.Map;

/**
 * Invariants 1 and 9: one turn is open at a time, turn numbers rise, committed versions rise by
 * one, and each names a turn that was granted to its attempt.
 */
public final class TurnCheck implements Check<TableState, TableDecision> {
  private record Turn(TableId table, long number) {}

  private record Place(TableId table, long incarnation) {}

  private final Tally tally;
  private final Map<TableId, Long> highest = new HashMap<>();
  private final Map<Turn, Attempt> granted = new HashMap<>();
  private final Map<Place, Long> versions = new HashMap<>();
  private final Map<TableId, Long> lastCommittedTurn = new HashMap<>();

  public TurnCheck(Tally tally) {
    this.tally = tally;
  }

  @Override
  public void folded(Event event, TableState before, TableState after, Now now) {
    countEnding(event, before, after);
  }

  @Override
  public void decided(
      Decided<TableDecision> decided,
      TableState before,
      TableState after,
      PartitionState partition) {
    if (decided.decision() instanceof GrantTurn grant) {
      Violation.unless(
          before.turns().open() == null,
          "1: at most one turn is open",
          () -> grant + " while " + before.turns());
      Violation.unless(
          grant.turn() > highest.getOrDefault(grant.table(), 0L),
          "9: turn numbers rise",
          () -> grant + " after " + highest.get(grant.table()));
      highest.put(grant.table(), grant.turn());
      granted.put(new Turn(grant.table(), grant.turn()), grant.attempt());
      tally.count("turn granted");
    }
    countEnding(decided.decision(), before, after);
  }

  /** Every turn that was granted ends once, one way or another. */
  private void countEnding(Object cause, TableState before, TableState after) {
    Turns.Turn open = before.turns().open();
    Turns.Turn next = after.turns().open();
    if (open != null && (next == null || next.number() != open.number())) {
      tally.count("turn ended: " + ending(cause.getClass().getSimpleName()));
    }
  }

  private static String ending(String cause) {
    return switch (cause) {
      case "UnitPublished", "HeadObserved" -> "served";
      case "PublishRefused" -> "refused";
      case "WithdrawGrant" -> "withdrawn, it was not taken";
      case "ExpireTurn", "ExecutorLost" -> "expired, to be found out";
      case "UnitFailed", "UnitNoOp", "UnitDeclined", "FailUnit" -> "given back by its unit's end";
      case "TableDropped", "TableRegistered" -> "over with its table";
      default -> cause;
    };
  }

  /** A commit became real in the authority. */
  public void committed(HeldTurn held, Commit commit, Head head) {
    Place place = new Place(held.table(), head.tableIncarnation());
    Violation.unless(
        head.version() == versions.getOrDefault(place, 1L) + 1,
        "9: versions rise by one",
        () -> head + " after version " + versions.get(place));
    versions.put(place, head.version());
    Violation.unless(
        held.attempt().equals(granted.get(new Turn(held.table(), head.turn()))),
        "9: each version names a turn that was granted to it",
        () -> head + " by " + held.attempt() + ", granted to " + granted);
    Violation.unless(
        head.turn() > lastCommittedTurn.getOrDefault(held.table(), 0L),
        "9: turns of versions rise",
        () -> head + " after a commit under turn " + lastCommittedTurn.get(held.table()));
    lastCommittedTurn.put(held.table(), head.turn());
  }
}
