package io.turnkeeper.core.table;

import io.turnkeeper.core.Kind;
import io.turnkeeper.core.Now;
import io.turnkeeper.core.policy.Policy;

/** The strict classes of work, 0 first. */
final class Ranks {
  static final int RECOVERY = 0;
  static final int URGENT = 1;
  static final int PREPARED = 2;
  static final int DUE_MERGE = 3;
  static final int DUE_UPKEEP = 4;
  static final int REST = 5;

  private Ranks() {}

  static int of(Unit unit, TableState state, Policy policy, Now now) {
    if (unit.kind() == Kind.REPAIR || (unit.kind() == Kind.OBSERVE && unit.mode() == Mode.INSIDE)) {
      return RECOVERY;
    }
    if (isPromoted(unit, policy, now)
        || (unit.kind() == Kind.MERGE_WAL && state.pendingGenerations() >= policy.mergeUrgent())) {
      return URGENT;
    }
    if (unit.phase() == Unit.Phase.READY) {
      return PREPARED;
    }
    return switch (unit.kind()) {
      case MERGE_WAL -> DUE_MERGE;
      case COMPACT, INDEX -> DUE_UPKEEP;
      default -> REST;
    };
  }

  static boolean isPromoted(Unit unit, Policy policy, Now now) {
    return now.atMillis() - unit.requestedAtMillis() >= policy.maxWaitMillis(unit.kind());
  }
}
