package io.turnkeeper.core.table;

import io.turnkeeper.core.Kind;

/** The strict classes of work, 0 first. */
final class Ranks {
  static final int RECOVERY = 0;
  static final int URGENT = 1;
  static final int PREPARED = 2;
  static final int DUE_MERGE = 3;
  static final int DUE_UPKEEP = 4;
  static final int REST = 5;

  private Ranks() {}

  static int of(Unit unit, Situation situation) {
    if (unit.kind() == Kind.REPAIR || unit.findsOut()) {
      return RECOVERY;
    }
    // What lies behind a bad generation cannot be merged, so it makes nothing urgent.
    boolean urgent =
        unit.kind() == Kind.MERGE_WAL
            && situation.mergePlan().pending() >= situation.policy().mergeUrgent();
    if (urgent || isPromoted(unit, situation)) {
      return URGENT;
    }
    if (unit.phase() == Unit.Phase.READY) {
      return PREPARED;
    }
    return switch (unit.kind()) {
      case MERGE_WAL -> situation.mergeScore() >= 1 ? DUE_MERGE : REST;
      case COMPACT, INDEX -> DUE_UPKEEP;
      case REPAIR, RETIRE, OBSERVE -> REST;
    };
  }

  static boolean isPromoted(Unit unit, Situation situation) {
    return situation.atMillis() - unit.requestedAtMillis()
        >= situation.policy().maxWaitMillis(unit.kind());
  }
}
