package io.turnkeeper.core.table;

import io.turnkeeper.core.Decided;
import io.turnkeeper.core.Kind;
import io.turnkeeper.core.Now;
import io.turnkeeper.core.policy.Policy;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Whose turn it is: one turn per table, by class, within two hard bounds. */
final class TurnRules {
  private TurnRules() {}

  static @Nullable Decided<TableDecision> grantTurn(TableState state, Context context, Now now) {
    if (state.turns().open() != null) {
      return null;
    }
    Policy policy = context.policyOf(state);
    List<Unit> waiting =
        order(state, policy, now).stream()
            .filter(unit -> state.turns().unresolved() == null || findsOut(unit))
            .toList();
    if (waiting.isEmpty()) {
      return null;
    }
    Choice choice = choose(waiting, state, policy, now);
    long number = state.turns().highest() + 1;
    return new Decided<>(
        new Assignment.GrantTurn(choice.unit().current(), number, policy.publishTimeoutMillis()),
        choice.reason());
  }

  /** The units that wait for a turn, in the order of their classes. */
  static List<Unit> order(TableState state, Policy policy, Now now) {
    return state.units().values().stream()
        .filter(Unit::waitsForTurn)
        .sorted(
            Comparator.<Unit>comparingInt(unit -> Ranks.of(unit, state, policy, now))
                .thenComparingLong(Unit::readyAtMillis)
                .thenComparing(Unit::kind))
        .toList();
  }

  private record Choice(Unit unit, String reason) {}

  private static Choice choose(List<Unit> waiting, TableState state, Policy policy, Now now) {
    Unit best = waiting.get(0);
    int rank = Ranks.of(best, state, policy, now);
    Kind served = state.turns().lastKind();
    if (rank != Ranks.RECOVERY && served != null && best.kind() == served) {
      long most = policy.maxConsecutive(served);
      List<Unit> others = waiting.stream().filter(unit -> unit.kind() != served).toList();
      if (state.turns().consecutive() >= most && !others.isEmpty()) {
        Unit longest =
            others.stream()
                .min(Comparator.comparingLong(Unit::readyAtMillis).thenComparing(Unit::kind))
                .orElseThrow();
        return new Choice(
            longest,
            "max-consecutive-turns: " + served + " has had " + state.turns().consecutive());
      }
    }
    return new Choice(
        best,
        "class "
            + rank
            + ", ready for "
            + Math.max(0, now.atMillis() - best.readyAtMillis())
            + " ms");
  }

  /** Only a look at the authority may follow a turn whose outcome is unknown. */
  private static boolean findsOut(Unit unit) {
    return unit.kind() == Kind.OBSERVE && unit.mode() == Mode.INSIDE;
  }
}
