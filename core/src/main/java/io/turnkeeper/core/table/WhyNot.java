package io.turnkeeper.core.table;

import io.turnkeeper.core.Kind;
import io.turnkeeper.core.PoolId;
import io.turnkeeper.core.UnitId;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The one reason why a kind of work is not running on a table now. */
public sealed interface WhyNot {
  /** What it is called where people and programs read it, like {@code NO_DEMAND}. */
  default String reason() {
    return getClass()
        .getSimpleName()
        .replaceAll("(?<=[a-z])(?=[A-Z])", "_")
        .toUpperCase(Locale.ROOT);
  }

  /** The table is not under maintenance. */
  record NotRegistered() implements WhyNot {}

  /** There is nothing to do. */
  record NoDemand(String inputs) implements WhyNot {}

  /** There is something to do, but not enough of it yet. */
  record BelowThreshold(double score, String inputs) implements WhyNot {}

  /** It failed and is tried again later. */
  record Cooldown(String code, long untilMillis) implements WhyNot {}

  /** The policy, or an operator by hand, does not allow it. */
  record ByPolicy(String field) implements WhyNot {
    @Override
    public String reason() {
      return "POLICY";
    }
  }

  /** It is at work. */
  record UnitLive(UnitId unit, Unit.Phase phase) implements WhyNot {}

  /** It waits in its pool for an executor with a free slot and enough memory. */
  record WaitingForPlacement(UnitId unit, PoolId pool, long needsBytes) implements WhyNot {}

  /**
   * It is ready and waits for its turn.
   *
   * @param holder the unit whose turn it is; null while a lost turn is found out
   * @param turnsAhead units that get their turn before it, the holder included
   */
  record WaitingForTurn(UnitId unit, @Nullable UnitId holder, long turnsAhead) implements WhyNot {}

  /** Another kind goes first. */
  record Yielding(Kind to) implements WhyNot {}

  /** Somebody has to look: it will not get better by itself. */
  record NeedsAttention(String code, long untilMillis) implements WhyNot {}
}
