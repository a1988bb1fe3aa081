package io.turnkeeper.simulation.check;

import io.turnkeeper.core.Decided;
import io.turnkeeper.core.FailureCode;
import io.turnkeeper.core.Kind;
import io.turnkeeper.core.UnitId;
import io.turnkeeper.core.partition.PartitionState;
import io.turnkeeper.core.policy.Policy;
import io.turnkeeper.core.table.Assignment.GrantTurn;
import io.turnkeeper.core.table.Failure;
import io.turnkeeper.core.table.TableDecision;
import io.turnkeeper.core.table.TableState;
import io.turnkeeper.core.table.Unit;
import io.turnkeeper.simulation.world.Violation;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Invariants 5 and 6 for turns: an urgent merge goes first unless its turns in a row are used up,
 * and a ready unit waits for at most K·(m+1) − 1 other turns.
 */
public final class FairnessCheck implements Check<TableState, TableDecision> {
  private static final class Wait {
    private final Set<Kind> others = EnumSet.noneOf(Kind.class);
    private long turns;
    private long row;
  }

  private final Waits waits;
  private final Map<UnitId, Wait> waiting = new HashMap<>();

  public FairnessCheck(Waits waits) {
    this.waits = waits;
  }

  @Override
  public void decided(
      Decided<TableDecision> decided,
      TableState before,
      TableState after,
      PartitionState partition) {
    if (!(decided.decision() instanceof GrantTurn grant)) {
      return;
    }
    Unit granted = Units.find(before, grant.attempt().unit());
    if (granted == null) {
      throw new Violation("1: a turn belongs to a live unit", grant + " in " + before);
    }
    if (Units.isRecovery(granted)) {
      return;
    }
    Policy policy = Policy.of(partition.defaults(), before.policy());
    long atMillis = partition.atMillis();
    urgentGoesFirst(grant, granted, before, policy, atMillis);
    for (Unit unit : before.units().values()) {
      if (!unit.id().equals(granted.id())
          && Units.waitsForTurn(unit, before, atMillis)
          && !Units.isRecovery(unit)) {
        Wait wait = waiting.computeIfAbsent(unit.id(), id -> new Wait());
        wait.turns++;
        wait.others.add(granted.kind());
        wait.row = Math.max(wait.row, policy.maxConsecutive(Kind.MERGE_WAL));
      }
    }
    served(granted, waiting.remove(granted.id()));
  }

  private void served(Unit granted, @Nullable Wait wait) {
    if (wait == null) {
      waits.granted(granted.kind(), 0, 0);
      return;
    }
    Set<Kind> kinds = EnumSet.copyOf(wait.others);
    kinds.add(granted.kind());
    kinds.remove(Kind.MERGE_WAL);
    long bound = Math.max(1, kinds.size()) * (wait.row + 1) - 1;
    waits.granted(granted.kind(), wait.turns, bound);
    Violation.unless(
        wait.turns <= bound,
        "6: a ready unit is granted within K(m+1)-1 turns",
        () -> granted + " waited for " + wait.turns + " turns of " + wait.others);
  }

  private static void urgentGoesFirst(
      GrantTurn grant, Unit granted, TableState before, Policy policy, long atMillis) {
    Unit merge = before.units().get(Kind.MERGE_WAL);
    boolean urgentMergeWaits =
        merge != null
            && Units.waitsForTurn(merge, before, atMillis)
            && mergeable(before) >= policy.mergeUrgent();
    boolean mergesHadTheirRow =
        before.turns().lastKind() == Kind.MERGE_WAL
            && before.turns().consecutive() >= policy.maxConsecutive(Kind.MERGE_WAL);
    boolean isUpkeep = granted.kind() == Kind.COMPACT || granted.kind() == Kind.INDEX;
    boolean olderOrBeforeItInLine =
        merge == null
            || granted.requestedAtMillis() <= merge.requestedAtMillis()
            || (hadItsTurnInVain(merge, before)
                && granted.readyAtMillis() <= merge.readyAtMillis());
    Violation.unless(
        !urgentMergeWaits || mergesHadTheirRow || !isUpkeep || olderOrBeforeItInLine,
        "5: an urgent merge precedes upkeep",
        () -> grant + " in " + before);
  }

  /** Pending generations that no bad one stands before. */
  private static long mergeable(TableState state) {
    return state.shards().values().stream()
        .mapToLong(
            shard ->
                shard.badGeneration() == 0
                    ? shard.pending()
                    : Math.min(shard.pending(), shard.badGeneration() - 1 - shard.mergedThrough()))
        .sum();
  }

  private static boolean hadItsTurnInVain(Unit unit, TableState state) {
    Failure failure = state.ledger().get(Failure.key(unit.kind()));
    return unit.ignoredGrants() > 0
        || (failure != null && FailureCode.of(failure.code()).endsOnlyTheTurn());
  }

  /** A look for a lost turn pauses for a shorter time than its ledger says. */
  @Override
  public void rested(TableState state, PartitionState partition) {
    if (state.turns().open() == null && state.turns().unresolved() == null) {
      for (Unit unit : state.units().values()) {
        Violation.unless(
            !Units.waitsForTurn(unit, state, partition.atMillis()),
            "6: a turn that is free goes to whoever waits",
            () -> unit + " waits in " + state);
      }
    }
  }
}
