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
import io.turnkeeper.core.pool.PoolState.Reservation;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What a pool decides: who is lost, and which unit is placed where. */
public final class PoolRules {
  /** The class from which a unit may hold an executor back. */
  private static final int URGENT = 1;

  /** No time at all. */
  public static final long NEVER = Long.MAX_VALUE;

  private static final Comparator<Request> SERVICE_ORDER =
      Comparator.comparingInt(Request::rank)
          .thenComparing(Comparator.comparingInt(PoolRules::log2).reversed())
          .thenComparingLong(Request::waitSinceMillis)
          .thenComparing(Request::unit);

  /** Class 1 is served oldest first. */
  private static final Comparator<Request> ORDER =
      (one, other) ->
          one.rank() == URGENT && other.rank() == URGENT
              ? Comparator.comparingLong(Request::waitSinceMillis)
                  .thenComparing(Request::unit)
                  .compare(one, other)
              : SERVICE_ORDER.compare(one, other);

  private PoolRules() {}

  /** The decisions that follow from {@code state}; folded in order they leave nothing to decide. */
  public static List<Decided<PoolDecision>> decide(PoolState state, Settings settings, Now now) {
    List<Decided<PoolDecision>> decisions = new ArrayList<>();
    PoolState current = state;
    Decided<PoolDecision> next = first(current, settings, now);
    while (next != null) {
      decisions.add(next);
      current = next.decision().applyTo(current, now);
      next = first(current, settings, now);
    }
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

  private static @Nullable Decided<PoolDecision> first(
      PoolState state, Settings settings, Now now) {
    Decided<PoolDecision> replaced = replacedExecutor(state);
    if (replaced != null) {
      return replaced;
    }
    Decided<PoolDecision> silent = silentExecutor(state, settings, now);
    return silent != null ? silent : place(state, settings, now);
  }

  /** A reservation of an earlier incarnation, or of an executor that left, is over. */
  private static @Nullable Decided<PoolDecision> replacedExecutor(PoolState state) {
    for (Reservation reservation : state.reservations().values()) {
      Attempt attempt = reservation.attempt();
      Executor executor = state.executors().get(attempt.executor());
      if (executor == null || executor.incarnation() > attempt.incarnation()) {
        return new Decided<>(
            new PoolDecision.DeclareExecutorLost(
                state.pool(),
                attempt.executor(),
                attempt.incarnation(),
                unitsOf(state, attempt.executor(), attempt.incarnation())),
            executor == null ? "the executor left" : "the executor was started anew");
      }
    }
    return null;
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
                  unitsOf(state, entry.getKey(), executor.incarnation())),
              "silent for " + silent + " ms, confirmed by a probe");
        }
      }
    }
    return null;
  }

  private static List<UnitId> unitsOf(PoolState state, ExecutorId executor, long incarnation) {
    return state.reservations().values().stream()
        .map(Reservation::attempt)
        .filter(attempt -> attempt.executor().equals(executor))
        .filter(attempt -> attempt.incarnation() <= incarnation)
        .map(Attempt::unit)
        .distinct()
        .sorted()
        .toList();
  }

  private static @Nullable Decided<PoolDecision> place(
      PoolState state, Settings settings, Now now) {
    if (state.requests().isEmpty()) {
      return null;
    }
    Room room = Room.of(state, settings, now);
    for (Request request : state.requests().values().stream().sorted(ORDER).toList()) {
      ExecutorId best = room.bestFor(request);
      if (best != null) {
        return new Decided<>(
            new PoolDecision.PlaceUnit(
                state.pool(),
                new Attempt(
                    request.unit(), request.attempt(), best, state.executor(best).incarnation()),
                request.expectedBytes()),
            room.isWarm(best, request)
                ? "has the table in its caches"
                : "least loaded with a free slot for " + request.kind());
      }
      if (isTooBigForAll(state, request)) {
        return new Decided<>(
            new PoolDecision.RefusePlacement(
                state.pool(),
                request.unit(),
                request.attempt(),
                FailureCode.NEEDS_MORE_MEMORY.name()),
            "needs " + request.expectedBytes() + " bytes, more than any executor has");
      }
      if (request.rank() <= URGENT) {
        room.holdBackFor(request);
      }
    }
    return null;
  }

  private static boolean runs(Executor executor, Request request) {
    return executor.slots().getOrDefault(request.kind(), 0) > 0;
  }

  private static boolean isTooBigForAll(PoolState state, Request request) {
    List<Executor> able =
        state.executors().values().stream()
            .filter(executor -> !executor.lost() && runs(executor, request))
            .toList();
    return !able.isEmpty()
        && able.stream().allMatch(executor -> executor.bytesTotal() < request.expectedBytes());
  }

  private static int log2(Request request) {
    return request.score() <= 0 ? -64 : Math.getExponent(request.score());
  }
}
