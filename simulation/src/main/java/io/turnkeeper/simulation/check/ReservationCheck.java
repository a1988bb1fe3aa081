package io.turnkeeper.simulation.check;

import io.turnkeeper.core.Attempt;
import io.turnkeeper.core.Decided;
import io.turnkeeper.core.Event;
import io.turnkeeper.core.ExecutorId;
import io.turnkeeper.core.Now;
import io.turnkeeper.core.partition.PartitionState;
import io.turnkeeper.core.pool.ExecutorEvent.ExecutorGone;
import io.turnkeeper.core.pool.ExecutorEvent.ExecutorHeartbeat;
import io.turnkeeper.core.pool.ExecutorEvent.LiveUnit;
import io.turnkeeper.core.pool.InboxEvent.ReservationEnded;
import io.turnkeeper.core.pool.PoolDecision;
import io.turnkeeper.core.pool.PoolState;
import io.turnkeeper.simulation.world.Violation;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Invariant 4, from decisions and words of the executors alone: what is reserved on an executor
 * never exceeds what it last said it has when something is placed there.
 */
public final class ReservationCheck implements Check<PoolState, PoolDecision> {
  private final Map<Attempt, Long> reserved = new HashMap<>();
  private final Set<Attempt> listed = new HashSet<>();
  private final Map<ExecutorId, Long> totals = new HashMap<>();
  private final Map<ExecutorId, Long> incarnations = new HashMap<>();

  @Override
  public void folded(Event event, PoolState before, PoolState after, Now now) {
    if (event instanceof ExecutorHeartbeat beat) {
      heard(beat);
    } else if (event instanceof ExecutorGone gone) {
      if (gone.incarnation() >= incarnations.getOrDefault(gone.executor(), 0L)) {
        drop(gone.executor(), gone.incarnation());
      }
    } else if (event instanceof ReservationEnded ended) {
      reserved
          .keySet()
          .removeIf(
              one ->
                  one.unit().equals(ended.unit())
                      && one.number() == ended.attempt()
                      && (ended.executor() == null
                          || (one.executor().equals(ended.executor())
                              && one.incarnation() == ended.incarnation())));
    }
  }

  private void heard(ExecutorHeartbeat beat) {
    if (beat.incarnation() < incarnations.getOrDefault(beat.executor(), 0L)) {
      return;
    }
    incarnations.put(beat.executor(), beat.incarnation());
    totals.put(beat.executor(), beat.bytesTotal());
    drop(beat.executor(), beat.incarnation() - 1);
    Set<Attempt> named = new HashSet<>();
    for (LiveUnit unit : beat.liveUnits()) {
      named.add(new Attempt(unit.unit(), unit.attempt(), beat.executor(), beat.incarnation()));
    }
    // Named before and not any more: it is over. Never named: it may be on its way.
    reserved
        .keySet()
        .removeIf(
            one ->
                one.executor().equals(beat.executor())
                    && listed.contains(one)
                    && !named.contains(one));
    listed.addAll(named);
  }

  private void drop(ExecutorId executor, long upToIncarnation) {
    reserved
        .keySet()
        .removeIf(one -> one.executor().equals(executor) && one.incarnation() <= upToIncarnation);
  }

  @Override
  public void decided(
      Decided<PoolDecision> decided, PoolState before, PoolState after, PartitionState partition) {
    if (decided.decision() instanceof PoolDecision.DeclareExecutorLost lost) {
      if (!lost.silent()) {
        drop(lost.executor(), lost.incarnation());
      }
    } else if (decided.decision() instanceof PoolDecision.PlaceUnit place) {
      reserved.put(place.attempt(), place.reservedBytes());
      ExecutorId executor = place.attempt().executor();
      long sum =
          reserved.entrySet().stream()
              .filter(one -> one.getKey().executor().equals(executor))
              .mapToLong(Map.Entry::getValue)
              .sum();
      Violation.unless(
          sum <= totals.getOrDefault(executor, 0L),
          "4: what is reserved fits",
          () -> place + ": " + sum + " bytes of " + totals.get(executor) + ", " + reserved);
    }
  }
}
