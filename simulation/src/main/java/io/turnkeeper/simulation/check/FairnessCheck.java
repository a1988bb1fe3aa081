package io.turnkeeper.simulation.check;

import io.turnkeeper.core.Decided;
import io.turnkeeper.core.Event;
import io.turnkeeper.core.FailureCode;
import io.turnkeeper.core.Kind;
import io.turnkeeper.core.Now;
import io.turnkeeper.core.UnitId;
import io.turnkeeper.core.partition.PartitionState;
import io.turnkeeper.core.policy.Policy;
import io.turnkeeper.core.table.Assignment.GrantTurn;
import io.turnkeeper.core.table.Failure;
import io.turnkeeper.core.table.Mode;
import io.turnkeeper.core.table.PublishEvent;
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
  private static final Set<FailureCode> LOST_TURNS =
      EnumSet.of(FailureCode.STALE_TURN, FailureCode.TURN_LOST);

  private static final class Wait {
    private final Set<Kind> others = EnumSet.noneOf(Kind.class);
    private long turns;
    private long row;
  }

  private final Waits waits;
  private final Map<UnitId, Wait> waiting = new HashMap<>();
  private final Map<String, Long> stale = new HashMap<>();

  public FairnessCheck(Waits waits) {
    this.waits = waits;
  }

  @Override
  public void folded(Event event, TableState before, TableState after, Now now) {
    if (event instanceof PublishEvent.PublishRefused refused
        && (refused.code().equals("STALE_PREPARATION") || refused.code().equals("CONFLICT"))) {
      Unit unit = find(before, refused.attempt().unit());
      if (unit != null && find(after, unit.id()) == null) {
        waits.stale(stale.merge(before.table() + "/" + unit.kind(), 1L, Long::sum));
      }
    } else if (event instanceof PublishEvent.UnitPublished published) {
      Unit unit = find(before, published.attempt().unit());
      if (unit != null && find(after, unit.id()) == null) {
        stale.remove(before.table() + "/" + unit.kind());
      }
    }
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
    Unit granted = find(before, grant.attempt().unit());
    if (granted == null) {
      throw new Violation("1: a turn belongs to a live unit", grant + " in " + before);
    }
    if (isRecovery(granted)) {
      return;
    }
    Policy policy = Policy.of(partition.defaults(), before.policy());
    long atMillis = partition.atMillis();
    urgentGoesFirst(grant, granted, before, policy, atMillis);
    for (Unit unit : before.units().values()) {
      if (!unit.id().equals(granted.id()) && waits(unit, before, atMillis) && !isRecovery(unit)) {
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
            && waits(merge, before, atMillis)
            && before.pendingGenerations() >= policy.mergeUrgent();
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

  private static boolean hadItsTurnInVain(Unit unit, TableState state) {
    Failure failure = state.ledger().get(Failure.key(unit.kind()));
    return unit.ignoredGrants() > 0
        || (failure != null && LOST_TURNS.contains(FailureCode.of(failure.code())));
  }

  static boolean isRecovery(Unit unit) {
    return unit.kind() == Kind.REPAIR
        || (unit.kind() == Kind.OBSERVE && unit.mode() == Mode.INSIDE);
  }

  /** Whether it could publish at once: after a turn that came to nothing it pauses first. */
  private static boolean waits(Unit unit, TableState state, long atMillis) {
    Failure failure = state.ledger().get(Failure.key(unit.kind()));
    return unit.placement() != null
        && (failure == null || failure.nextRetryMillis() <= atMillis)
        && unit.cancellation() == null
        && (unit.phase() == Unit.Phase.READY
            || (unit.phase() == Unit.Phase.CLAIMED && unit.mode() == Mode.INSIDE));
  }

  static @Nullable Unit find(TableState state, UnitId id) {
    for (Unit unit : state.units().values()) {
      if (unit.id().equals(id)) {
        return unit;
      }
    }
    return null;
  }
}
