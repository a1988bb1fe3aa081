package io.turnkeeper.simulation.check;

import io.turnkeeper.core.Kind;
import io.turnkeeper.core.partition.PartitionState;
import io.turnkeeper.core.policy.Policy;
import io.turnkeeper.core.policy.PolicyMode;
import io.turnkeeper.core.table.Failure;
import io.turnkeeper.core.table.Shard;
import io.turnkeeper.core.table.TableDecision;
import io.turnkeeper.core.table.TableState;
import io.turnkeeper.core.table.Unit;
import io.turnkeeper.simulation.world.Violation;

/** The second half of invariant 2: a due merge asks for its place whatever is being prepared. */
public final class DueMergeCheck implements Check<TableState, TableDecision> {
  @Override
  public void rested(TableState state, PartitionState partition) {
    Policy policy = Policy.of(partition.defaults(), state.policy());
    Failure failure = state.ledger().get(Failure.key(Kind.MERGE_WAL));
    boolean mayBegin =
        state.registration() != null
            && policy.allows(Kind.MERGE_WAL)
            && policy.mode() != PolicyMode.SHADOW
            && !state.paused().contains(Kind.MERGE_WAL)
            && (failure == null || failure.nextRetryMillis() <= partition.atMillis());
    if (mayBegin && good(state) >= policy.mergeMinGenerations()) {
      Unit merge = state.unit(Kind.MERGE_WAL);
      Violation.unless(
          merge != null && (merge.phase() != Unit.Phase.REQUESTED || merge.asked() != null),
          "2: a due merge asks for its place whatever is being prepared",
          () -> "at " + partition.now() + ": " + state);
    }
  }

  /** Pending generations of the shards of which all can be read. */
  private static long good(TableState state) {
    return state.shards().values().stream()
        .filter(shard -> shard.badGeneration() == 0)
        .mapToLong(Shard::pending)
        .sum();
  }
}
