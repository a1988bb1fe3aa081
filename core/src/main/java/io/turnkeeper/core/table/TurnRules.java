package io.turnkeeper.core.table;

import io.turnkeeper.core.Decided;
import io.turnkeeper.core.Kind;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Whose turn it is: one turn per table, by class, within two hard bounds. */
final class TurnRules {
  private TurnRules() {}

  static @Nullable Decided<TableDecision> grantTurn(Situation situation) {
    Turns turns = situation.state().turns();
    if (turns.open() != null) {
      return null;
    }
    List<Unit> waiting = waiting(situation);
    if (waiting.isEmpty()) {
      return null;
    }
    Choice choice = choose(waiting, turns, situation);
    return new Decided<>(
        new Assignment.GrantTurn(
            choice.unit().current(),
            turns.highest() + 1,
            situation.policy().publishTimeoutMillis()),
        choice.reason());
  }

  /** The units that wait for a turn, in the order in which they will get it as things are. */
  static List<Unit> upcoming(Situation situation) {
    List<Unit> left = new ArrayList<>(waiting(situation));
    List<Unit> served = new ArrayList<>();
    Turns turns = situation.state().turns();
    while (!left.isEmpty()) {
      Unit next = choose(left, turns, situation).unit();
      left.remove(next);
      served.add(next);
      turns = turns.granted(new Turns.Turn(turns.highest(), next.kind(), next.id().sequence(), 0));
    }
    return served;
  }

  /** By class; in class 1 the longest requested first, in the others the longest ready. */
  private static List<Unit> waiting(Situation situation) {
    boolean findingOut = situation.state().turns().unresolved() != null;
    if (!anyWaits(situation.state())) {
      return List.of(); // As nearly always, and this is asked at every decision.
    }
    return situation.state().units().values().stream()
        .filter(Unit::waitsForTurn)
        // Only a look at the authority may follow a turn whose outcome is unknown.
        .filter(unit -> !findingOut || unit.findsOut())
        .filter(unit -> DemandRules.coolingDown(unit, situation) == null)
        .sorted(
            Comparator.<Unit>comparingInt(unit -> Ranks.of(unit, situation))
                .thenComparingLong(
                    unit ->
                        Ranks.of(unit, situation) == Ranks.URGENT
                            ? unit.requestedAtMillis()
                            : unit.readyAtMillis())
                .thenComparing(Unit::kind))
        .toList();
  }

  private static boolean anyWaits(TableState state) {
    for (Unit unit : state.units().values()) {
      if (unit.waitsForTurn()) {
        return true;
      }
    }
    return false;
  }

  private record Choice(Unit unit, String reason) {}

  private static Choice choose(List<Unit> waiting, Turns turns, Situation situation) {
    Unit best = waiting.get(0);
    int rank = Ranks.of(best, situation);
    Kind served = turns.lastKind();
    if (rank != Ranks.RECOVERY && served != null && best.kind() == served) {
      long most = situation.policy().maxConsecutive(served);
      List<Unit> others = waiting.stream().filter(unit -> unit.kind() != served).toList();
      if (turns.consecutive() >= most && !others.isEmpty()) {
        return new Choice(
            longestReady(others),
            "max-consecutive-turns: " + served + " has had " + turns.consecutive());
      }
    }
    if (rank != Ranks.RECOVERY && hadItsTurnInVain(best, situation.state())) {
      Unit longest = longestReady(waiting);
      if (!longest.equals(best)) {
        return new Choice(longest, "the last turn of " + best.kind() + " came to nothing");
      }
    }
    long ready = Math.max(0, situation.atMillis() - best.readyAtMillis());
    return new Choice(best, "class " + rank + ", ready for " + ready + " ms");
  }

  private static Unit longestReady(List<Unit> waiting) {
    return waiting.stream()
        .min(Comparator.comparingLong(Unit::readyAtMillis).thenComparing(Unit::kind))
        .orElseThrow();
  }

  /** Two kinds whose turns come to nothing could else alternate, and never let in a third. */
  private static boolean hadItsTurnInVain(Unit unit, TableState state) {
    Failure failure = state.ledger().get(Failure.key(unit.kind()));
    return unit.ignoredGrants() > 0 || (failure != null && failure.isLostTurn());
  }
}
