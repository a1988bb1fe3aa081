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
import io.turnkeeper.core.table.PlacementEvent.PlacementRefused;
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
    // Each executor is probed, lost or forgotten once and then unknown, each start replaced once:
    // more would be a bug.
    int most = 2 * state.executors().size() + state.reservations().size();
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
    Room room = Room.of(current, settings, now);
    takeRefusalsBack(current, room, decisions);
    place(current, room, decisions);
    return decisions;
  }

  /** When time alone could make a rule speak, on the task's clock; {@link #NEVER} if never. */
  public static long nextDueMillis(PoolState state, Settings settings, Now now) {
    long due = NEVER;
    for (Map.Entry<ExecutorId, Executor> entry : state.executors().entrySet()) {
      Executor executor = entry.getValue();
      if (executor.lost() || !executor.probed()) {
        long left = verdictMillis(entry.getKey(), executor, state, settings) - now.observedMillis();
        due = Math.min(due, now.lookAgainFor(left));
      }
      long minute = executor.minuteMillis() + PoolState.MINUTE_MILLIS - now.observedMillis();
      if (!state.requests().isEmpty() && executor.placedInMinute() > 0 && minute > 0) {
        due = Math.min(due, now.lookAgainFor(minute));
      }
    }
    return due;
  }

  /** In observed time, when something follows from an executor's silence. */
  private static long verdictMillis(
      ExecutorId id, Executor executor, PoolState state, Settings settings) {
    return executor.lost()
        ? state.forgottenAtMillis(id, executor)
        : executor.heardMillis() + settings.executorTimeoutMillis();
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
      ExecutorId id = entry.getKey();
      Executor executor = entry.getValue();
      long silent = now.observedMillis() - executor.heardMillis();
      if (now.observedMillis() >= verdictMillis(id, executor, state, settings)) {
        if (executor.lost()) {
          return lost(state, id, executor, false, "silent for " + silent + " ms: forgotten");
        }
        if (!executor.probed()) {
          return new Decided<>(
              new PoolDecision.ProbeExecutor(state.pool(), id, executor.incarnation()),
              "silent for " + silent + " ms");
        }
        if (executor.confirmedSilent()) {
          String reason = "silent for " + silent + " ms, confirmed by a probe";
          return lost(state, id, executor, true, reason);
        }
      }
    }
    return null;
  }

  private static Decided<PoolDecision> lost(
      PoolState state, ExecutorId id, Executor executor, boolean mayComeBack, String reason) {
    long incarnation = executor.incarnation();
    return new Decided<>(
        new PoolDecision.DeclareExecutorLost(
            state.pool(), id, incarnation, unitsOf(state, id, incarnation), mayComeBack),
        reason);
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

  /** Who was too big for everybody may ask again as soon as somebody joins who could hold it. */
  private static void takeRefusalsBack(
      PoolState state, Room room, List<Decided<PoolDecision>> decisions) {
    Request refused = state.refusals().nextHoldable(null, room);
    while (refused != null) {
      decisions.add(
          new Decided<>(
              new PoolDecision.RefusePlacement(
                  state.pool(), refused.unit(), refused.attempt(), PlacementRefused.ASK_AGAIN),
              "needs " + refused.expectedBytes() + " bytes, which an executor now has"));
      refused = state.refusals().nextHoldable(refused, room);
    }
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
