package io.turnkeeper.core.pool;

import io.turnkeeper.core.Attempt;
import io.turnkeeper.core.ExecutorId;
import io.turnkeeper.core.Now;
import io.turnkeeper.core.pool.ExecutorEvent.ExecutorGone;
import io.turnkeeper.core.pool.ExecutorEvent.ExecutorHeartbeat;
import io.turnkeeper.core.pool.ExecutorEvent.ExecutorProbe;
import io.turnkeeper.core.pool.ExecutorEvent.LiveUnit;
import io.turnkeeper.core.pool.PoolState.Executor;
import io.turnkeeper.core.pool.PoolState.Reservation;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;

/** How executors come, fall silent and go. */
final class ExecutorFold {
  private ExecutorFold() {}

  static PoolState heard(PoolState before, ExecutorHeartbeat beat, Now now) {
    Executor known = before.executors().get(beat.executor());
    if (known != null && beat.incarnation() < known.incarnation()) {
      return before; // An earlier start of the same executor, late.
    }
    boolean same = known != null && known.incarnation() == beat.incarnation();
    if (same && known != null && known.isForgotten(now)) {
      return before; // What it held was given to others, and it may still run it.
    }
    if (known == null && !beat.liveUnits().isEmpty()) {
      return before; // A start begins with nothing: this one was forgotten, and still holds that.
    }
    Executor executor =
        new Executor(
            beat.incarnation(),
            beat.slots(),
            beat.bytesTotal(),
            beat.draining(),
            now.observedMillis(),
            false,
            false,
            false,
            known == null ? 0 : known.minuteMillis(),
            known == null ? 0 : known.placedInMinute(),
            same && known != null ? known.warm() : List.of());
    return before
        .withExecutor(beat.executor(), executor)
        .withReservations(reconciled(before, beat));
  }

  /**
   * What a heartbeat named before and names no more is let go; what it never named may be on its
   * way, also to an executor that comes back from a long silence and has not read its orders yet.
   */
  private static SortedMap<String, Reservation> reconciled(
      PoolState before, ExecutorHeartbeat beat) {
    Set<LiveUnit> named = Set.copyOf(beat.liveUnits());
    IndexedMap<String, Reservation, Loads> next = before.reserved();
    Loads.Start start = new Loads.Start(beat.executor(), beat.incarnation());
    for (Map.Entry<String, Reservation> entry : before.loads().load(start).held()) {
      Reservation reservation = entry.getValue();
      Attempt attempt = reservation.attempt();
      if (named.contains(new LiveUnit(attempt.unit(), attempt.number()))) {
        next = next.with(entry.getKey(), reservation.named(false));
      } else if (reservation.listed()) {
        next = next.with(entry.getKey(), reservation.named(true));
      }
    }
    return next;
  }

  static PoolState gone(PoolState before, ExecutorGone event) {
    Executor known = before.executors().get(event.executor());
    if (known == null || event.incarnation() < known.incarnation()) {
      return before;
    }
    return before.withoutExecutor(event.executor());
  }

  static PoolState probed(PoolState before, ExecutorProbe probe) {
    Executor known = before.executors().get(probe.executor());
    if (known == null || known.incarnation() != probe.incarnation() || !known.probed()) {
      return before;
    }
    return before.withExecutor(probe.executor(), known.probed(true, known.lost()));
  }

  static PoolState probeSent(PoolState before, PoolDecision.ProbeExecutor decision) {
    Executor known = before.executors().get(decision.executor());
    return known == null
        ? before
        : before.withExecutor(decision.executor(), known.probed(false, known.lost()));
  }

  /**
   * A silent executor keeps its reservations until each is given back or it is forgotten; others
   * hold nothing.
   */
  static PoolState lost(PoolState before, PoolDecision.DeclareExecutorLost decision) {
    ExecutorId id = decision.executor();
    if (!before.holdsAnything(id, decision.incarnation())) {
      return before.withoutExecutor(id);
    }
    if (decision.silent()) {
      return before.withExecutor(id, before.executor(id).probed(true, true));
    }
    IndexedMap<String, Reservation, Loads> next = before.reserved();
    for (Map.Entry<Loads.Start, Loads.Load> load : before.loads().held()) {
      Loads.Start start = load.getKey();
      if (start.executor().equals(id) && start.incarnation() <= decision.incarnation()) {
        for (Map.Entry<String, Reservation> held : load.getValue().held()) {
          next = next.without(held.getKey());
        }
      }
    }
    return before.withReservations(next);
  }
}
