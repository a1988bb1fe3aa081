package io.turnkeeper.core.pool;

import io.turnkeeper.core.Attempt;
import io.turnkeeper.core.Decided;
import io.turnkeeper.core.ExecutorId;
import io.turnkeeper.core.FailureCode;
import io.turnkeeper.core.Now;
import io.turnkeeper.core.UnitId;
import io.turnkeeper.core.partition.Settings;
import io.turnkeeper.core.pool.PoolState.Executor;
import io.turnkeeper.core.pool.PoolState.Request;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** What a pool decides: who is lost, and which unit is placed where. */
public final class PoolRules {
  /** No time at all. */
  public static final long NEVER = Long.MAX_VALUE;

  private PoolRules() {}

  /** The decisions that follow from {@code state}; folded in order they leave nothing to decide. */
  public static List<Decided<PoolDecision>> decide(PoolState state, Settings settings, Now now) {
    List<Decided<PoolDecision>> decisions = new ArrayList<>();
    PoolState current = state;
    // Each executor is probed or lost once, each start replaced once: more would be a bug.
    int most = state.executors().size() + state.reservations().size();
    Decided<PoolDecision> next = loss(current, settings, now);
    while (next != null) {
      if (decisions.size() == most) {
        throw new IllegalStateException(
            "expected the rules to come to rest, but pool "
                + state.pool()
                + " still wants "
                + next);
      }
      decisions.add(next);
      current = next.decision().applyTo(current, now);
      next = loss(current, settings, now);
    }
    place(current, Room.of(current, settings, now), decisions);
    return decisions;
  }

  /** When time alone could make a rule speak, on the task's clock; {@link #NEVER} if never. */
  public static long nextDueMillis(PoolState state, Settings settings, Now now) {
    long due = NEVER;
    for (Executor executor : state.executors().values()) {
      if (!executor.lost() && !executor.probed()) {
        long left =
            executor.heardMillis() + settings.executorTimeoutMillis() - now.observedMillis();
        due = Math.min(due, now.atMillis() + Math.max(0, left));
      }
      long minute = executor.minuteMillis() + PoolState.MINUTE_MILLIS - now.observedMillis();
      if (!state.requests().isEmpty() && executor.placedInMinute() > 0 && minute > 0) {
        due = Math.min(due, now.atMillis() + minute);
      }
    }
    return due;
  }

  private static @Nullable Decided<PoolDecision> loss(PoolState state, Settings settings, Now now) {
    Decided<PoolDecision> replaced = replacedExecutor(state);
    return replaced != null ? replaced : silentExecutor(state, settings, now);
  }

  /** What an earlier incarnation holds, or an executor that left, is over. */
  private static @Nullable Decided<PoolDecision> replacedExecutor(PoolState state) {
    // Both are in the order of executors, so the two are gone through together.
    Iterator<Map.Entry<ExecutorId, Executor>> executors = state.executors().entrySet().iterator();
    Map.Entry<ExecutorId, Executor> known = next(executors);
    for (Map.Entry<Loads.Start, Loads.Load> held : state.loads().held()) {
      Loads.Start start = held.getKey();
      while (known != null && known.getKey().compareTo(start.executor()) < 0) {
        known = next(executors);
      }
      Executor executor =
          known != null && known.getKey().equals(start.executor()) ? known.getValue() : null;
      if (executor == null || executor.incarnation() > start.incarnation()) {
        return new Decided<>(
            new PoolDecision.DeclareExecutorLost(
                state.pool(),
                start.executor(),
                start.incarnation(),
                unitsOf(state, start.executor(), start.incarnation()),
                false),
            executor == null ? "the executor left" : "the executor was started anew");
      }
    }
    return null;
  }

  private static <T> @Nullable T next(Iterator<T> iterator) {
    return iterator.hasNext() ? iterator.next() : null;
  }

  private static @Nullable Decided<PoolDecision> silentExecutor(
      PoolState state, Settings settings, Now now) {
    for (Map.Entry<ExecutorId, Executor> entry : state.executors().entrySet()) {
      Executor executor = entry.getValue();
      long silent = now.observedMillis() - executor.heardMillis();
      if (!executor.lost() && silent >= settings.executorTimeoutMillis()) {
        if (!executor.probed()) {
          return new Decided<>(
              new PoolDecision.ProbeExecutor(state.pool(), entry.getKey(), executor.incarnation()),
              "silent for " + silent + " ms");
        }
        if (executor.confirmedSilent()) {
          return new Decided<>(
              new PoolDecision.DeclareExecutorLost(
                  state.pool(),
                  entry.getKey(),
                  executor.incarnation(),
                  unitsOf(state, entry.getKey(), executor.incarnation()),
                  true),
              "silent for " + silent + " ms, confirmed by a probe");
        }
      }
    }
    return null;
  }

  private static List<UnitId> unitsOf(PoolState state, ExecutorId executor, long incarnation) {
    SortedSet<UnitId> units = new TreeSet<>();
    for (Map.Entry<Loads.Start, Loads.Load> held : state.loads().held()) {
      if (held.getKey().executor().equals(executor) && held.getKey().incarnation() <= incarnation) {
        held.getValue().held().forEach(entry -> units.add(entry.getValue().attempt().unit()));
      }
    }
    return List.copyOf(units);
  }

  /**
   * One pass in the order of service. What was passed over stays passed over, since each placement
   * only takes room away: so nothing is looked at twice.
   */
  private static void place(PoolState state, Room room, List<Decided<PoolDecision>> decisions) {
    Queues waiting = state.queues();
    Request request = waiting.next(null, room);
    while (request != null) {
      Room.Place best = room.bestFor(request);
      if (best != null) {
        decisions.add(placed(state, request, best));
        room.give(best, request);
      } else if (request.expectedBytes() > room.mostBytes(request.kind())) {
        decisions.add(refused(state, request));
      } else {
        room.holdBackFor(request);
      }
      request = waiting.next(request, room);
    }
  }

  private static Decided<PoolDecision> placed(PoolState state, Request request, Room.Place best) {
    return new Decided<>(
        new PoolDecision.PlaceUnit(
            state.pool(),
            new Attempt(request.unit(), request.attempt(), best.id(), best.incarnation()),
            request.expectedBytes()),
        best.isWarmFor(request)
            ? "has the table in its caches"
            : "least loaded with a free slot for " + request.kind());
  }

  private static Decided<PoolDecision> refused(PoolState state, Request request) {
    return new Decided<>(
        new PoolDecision.RefusePlacement(
            state.pool(), request.unit(), request.attempt(), FailureCode.NEEDS_MORE_MEMORY.name()),
        "needs " + request.expectedBytes() + " bytes, more than any executor has");
  }
}
