package io.turnkeeper.simulation.check;

import io.turnkeeper.core.Decided;
import io.turnkeeper.core.Event;
import io.turnkeeper.core.ExecutorId;
import io.turnkeeper.core.Now;
import io.turnkeeper.core.partition.PartitionState;
import io.turnkeeper.core.pool.ExecutorEvent.ExecutorGone;
import io.turnkeeper.core.pool.ExecutorEvent.ExecutorHeartbeat;
import io.turnkeeper.core.pool.ExecutorEvent.ExecutorProbe;
import io.turnkeeper.core.pool.PoolDecision;
import io.turnkeeper.core.pool.PoolState;
import io.turnkeeper.simulation.world.Violation;
import java.util.HashMap;
import java.util.Map;

/**
 * Invariants 3 and 5 for places: nobody is placed on an executor that is lost, was started anew or
 * whose places were given to others, and who takes a place takes it from nobody that goes before.
 */
public final class PoolCheck implements Check<PoolState, PoolDecision> {
  private static final int URGENT = 1;

  /** The newest start of an executor that spoke, when, and what was found out since. */
  private record Heard(long incarnation, long observedMillis, boolean probed, boolean lost) {
    private Heard given(boolean nowProbed, boolean nowLost) {
      return new Heard(incarnation, observedMillis, nowProbed, nowLost);
    }
  }

  private final Map<ExecutorId, Heard> heard = new HashMap<>();

  /** The newest start of each executor whose places were given to others. */
  private final Map<ExecutorId, Long> over = new HashMap<>();

  @Override
  public void folded(Event event, PoolState before, PoolState after, Now now) {
    if (event instanceof ExecutorHeartbeat beat) {
      Heard known = heard.get(beat.executor());
      if (known == null || known.incarnation() <= beat.incarnation()) {
        heard.put(
            beat.executor(), new Heard(beat.incarnation(), now.observedMillis(), false, false));
      }
    } else if (event instanceof ExecutorGone gone) {
      Heard known = heard.get(gone.executor());
      if (known != null && known.incarnation() <= gone.incarnation()) {
        heard.put(gone.executor(), known.given(known.probed(), true));
      }
    } else if (event instanceof ExecutorProbe probe) {
      heard.computeIfPresent(probe.executor(), (id, known) -> known.given(true, known.lost()));
    }
  }

  @Override
  public void decided(
      Decided<PoolDecision> decided, PoolState before, PoolState after, PartitionState partition) {
    if (decided.decision() instanceof PoolDecision.DeclareExecutorLost lost) {
      if (!lost.silent()) {
        over.merge(lost.executor(), lost.incarnation(), Math::max);
      }
      Heard known = heard.get(lost.executor());
      if (known != null && known.incarnation() == lost.incarnation()) {
        long silent = partition.observedMillis() - known.observedMillis();
        Violation.unless(
            known.lost()
                || (known.probed() && silent >= partition.settings().executorTimeoutMillis()),
            "silence is checked before it is believed",
            () -> decided + " at " + partition.now() + ", " + known);
        heard.put(lost.executor(), known.given(known.probed(), true));
      }
    } else if (decided.decision() instanceof PoolDecision.PlaceUnit place) {
      Heard known = heard.get(place.attempt().executor());
      Violation.unless(
          known != null && !known.lost() && known.incarnation() == place.attempt().incarnation(),
          "3: no unit is placed on a stale executor",
          () -> place + ", heard " + known);
      Violation.unless(
          place.attempt().incarnation() > over.getOrDefault(place.attempt().executor(), 0L),
          "3: no unit is placed on a start whose places were given to others",
          place::toString);
      takesFromNobody(place, before);
    }
  }

  private static void takesFromNobody(PoolDecision.PlaceUnit place, PoolState before) {
    ExecutorId id = place.attempt().executor();
    PoolState.Executor executor = before.executors().get(id);
    PoolState.Request placed =
        before.requests().values().stream()
            .filter(one -> one.unit().equals(place.attempt().unit()))
            .findFirst()
            .orElseThrow(() -> new Violation("3: who is placed has asked", place.toString()));
    if (executor == null) {
      throw new Violation("3: no unit is placed on a stale executor", place + " nowhere");
    }
    long free = executor.bytesTotal() - before.reservedBytes(id);
    for (PoolState.Request other : before.requests().values()) {
      boolean goesBefore =
          other.rank() <= URGENT
              && (placed.rank() > other.rank()
                  || (placed.rank() == URGENT
                      && other.rank() == URGENT
                      && other.waitSinceMillis() < placed.waitSinceMillis()));
      boolean fits =
          free >= other.expectedBytes()
              && before.usedSlots(id, other.kind())
                  < executor.slots().getOrDefault(other.kind(), 0);
      Violation.unless(
          !goesBefore || !fits,
          "5: class 1 is served first, the oldest of it before the others",
          () -> place + " before " + other);
    }
  }
}
