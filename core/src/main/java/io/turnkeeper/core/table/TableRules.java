package io.turnkeeper.core.table;

import io.turnkeeper.core.Decided;
import io.turnkeeper.core.Now;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a table decides: its rules are asked in order, the first that has something to say is heard,
 * its decision is folded, and they are asked again, until all are quiet.
 */
public final class TableRules {
  /**
   * Raised with every change of what is decided, so that a replay knows whose decisions it reads.
   */
  public static final int VERSION = 8;

  /** More decisions than this for one entry mean two rules undo each other: a bug. */
  private static final int MAX_DECISIONS = 256;

  private static final List<Rule> RULES =
      List.of(
          ReservationRules::giveBack,
          SilenceRules::stopAbandoned,
          SilenceRules::cancelOnRequest,
          SilenceRules::checkSilence,
          DemandRules::openUnit,
          PlacementRules::requestPlacement,
          PlacementRules::startUnit,
          TurnRules::grantTurn);

  private TableRules() {}

  /** The decisions that follow from {@code state}; folded in order they leave nothing to decide. */
  public static List<Decided<TableDecision>> decide(TableState state, Context context, Now now) {
    List<Decided<TableDecision>> decisions = new ArrayList<>();
    Situation situation = new Situation(state, context, now);
    Decided<TableDecision> next = first(situation);
    while (next != null) {
      if (decisions.size() == MAX_DECISIONS) {
        throw new IllegalStateException(
            "expected the rules to come to rest, but table "
                + state.table()
                + " still wants "
                + next);
      }
      decisions.add(next);
      situation = situation.after(next.decision());
      next = first(situation);
    }
    return decisions;
  }

  private static @Nullable Decided<TableDecision> first(Situation situation) {
    for (Rule rule : RULES) {
      Decided<TableDecision> decided = rule.next(situation);
      if (decided != null) {
        return decided;
      }
    }
    return null;
  }
}
