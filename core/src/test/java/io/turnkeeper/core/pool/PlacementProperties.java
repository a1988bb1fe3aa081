package io.turnkeeper.core.pool;

import static io.turnkeeper.core.pool.PoolWalk.POOL;
import static io.turnkeeper.core.pool.PoolWalk.SETTINGS;
import static org.assertj.core.api.Assertions.assertThat;

import io.turnkeeper.core.Attempt;
import io.turnkeeper.core.Decided;
import io.turnkeeper.core.ExecutorId;
import io.turnkeeper.core.Now;
import io.turnkeeper.core.pool.PoolDecision.PlaceUnit;
import io.turnkeeper.core.pool.PoolDecision.RefusePlacement;
import io.turnkeeper.core.pool.PoolState.Executor;
import io.turnkeeper.core.pool.PoolState.Request;
import io.turnkeeper.core.pool.PoolState.Reservation;
import io.turnkeeper.core.table.PlacementEvent.PlacementRefused;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.jspecify.annotations.Nullable;

/** The quick way to place is held against the slow one: sort, look at everybody, begin anew. */
class PlacementProperties {

  @Property
  void onePassPlacesAsOneAtATimeWould(@ForAll Random random) {
    PoolState state = PoolState.empty(POOL);
    for (int step = 0; step < 60; step++) {
      Now now = new Now(1_000 + step * 700L, 1_000 + step * 700L);
      state = PoolWalk.event(state, random).applyTo(state, now);
      for (Decided<PoolDecision> decided : PoolRules.decide(state, SETTINGS, now)) {
        PoolDecision decision = decided.decision();
        if (decision instanceof PlaceUnit || decision instanceof RefusePlacement) {
          assertThat(decision).isEqualTo(expected(state, now));
        }
        state = decision.applyTo(state, now);
      }
      assertThat(expected(state, now)).as("nothing is left to place").isNull();
      assertThat(PoolRules.decide(state, SETTINGS, now)).as("comes to rest").isEmpty();
    }
  }

  @Property
  void whatIsKeptBesideTheStateIsWhatTheStateSays(@ForAll Random random) {
    PoolState state = PoolState.empty(POOL);
    for (int step = 0; step < 60; step++) {
      Now now = new Now(1_000 + step * 700L, 1_000 + step * 700L);
      PoolEvent event = PoolWalk.event(state, random);
      PoolState rebuilt = rebuilt(state);
      assertThat(rebuilt).isEqualTo(state).hasSameHashCodeAs(state);
      List<Decided<PoolDecision>> decisions =
          PoolRules.decide(event.applyTo(state, now), SETTINGS, now);
      assertThat(PoolRules.decide(event.applyTo(rebuilt, now), SETTINGS, now)).isEqualTo(decisions);
      state = event.applyTo(state, now);
      for (Decided<PoolDecision> decided : decisions) {
        state = decided.decision().applyTo(state, now);
      }
    }
  }

  /** As it comes out of a store: plain maps, nothing beside them. */
  private static PoolState rebuilt(PoolState state) {
    return new PoolState(
        state.pool(),
        new TreeMap<>(state.executors()),
        new TreeMap<>(state.requests()),
        new TreeMap<>(state.reservations()),
        new TreeMap<>(state.refused()));
  }

  /** What is placed or refused first, found by looking at everything. */
  private static @Nullable PoolDecision expected(PoolState state, Now now) {
    Set<ExecutorId> heldBack = new HashSet<>();
    List<Request> inOrder = new ArrayList<>(state.requests().values());
    Comparator<Request> order =
        Comparator.comparingInt(Request::rank)
            .thenComparing(r -> r.rank() == 1 ? 0 : -Math.getExponent(r.score()))
            .thenComparingLong(Request::waitSinceMillis)
            .thenComparing(Request::unit);
    inOrder.sort(order);
    Request holdable =
        state.refused().values().stream()
            .filter(request -> !isTooBig(able(state, request), request) && runs(state, request))
            .min(order)
            .orElse(null);
    if (holdable != null) {
      return new RefusePlacement(POOL, holdable.unit(), 1, PlacementRefused.ASK_AGAIN);
    }
    for (Request request : inOrder) {
      List<ExecutorId> withSlot =
          state.executors().keySet().stream()
              .filter(id -> isOpen(state.executor(id), now) && !heldBack.contains(id))
              .filter(id -> state.usedSlots(id, request.kind()) < slots(state, id, request))
              .toList();
      ExecutorId best = best(withSlot, state, request);
      if (best != null) {
        return new PlaceUnit(
            POOL,
            new Attempt(request.unit(), 1, best, state.executor(best).incarnation()),
            request.expectedBytes());
      }
      if (runs(state, request) && isTooBig(able(state, request), request)) {
        return new RefusePlacement(POOL, request.unit(), 1, "NEEDS_MORE_MEMORY");
      }
      if (request.rank() <= 1) {
        withSlot.stream()
            .filter(id -> state.executor(id).bytesTotal() >= request.expectedBytes())
            .min(Comparator.comparingLong(state::reservedBytes).thenComparing(id -> id))
            .ifPresent(heldBack::add);
      }
    }
    return null;
  }

  private static @Nullable ExecutorId best(
      List<ExecutorId> withSlot, PoolState state, Request request) {
    long inFlight = state.reservations().values().stream().mapToLong(Reservation::bytes).sum();
    return withSlot.stream()
        .filter(id -> inFlight + request.expectedBytes() <= SETTINGS.bytesInFlight())
        .filter(
            id ->
                state.reservedBytes(id) + request.expectedBytes()
                    <= state.executor(id).bytesTotal())
        .min(
            Comparator.<ExecutorId, Boolean>comparing(
                    id -> !state.executor(id).warm().contains(request.unit().table()))
                .thenComparing(state::reservedBytes)
                .thenComparing(id -> id))
        .orElse(null);
  }

  private static boolean isOpen(Executor executor, Now now) {
    return !executor.draining()
        && !executor.lost()
        && !executor.probed()
        && now.observedMillis() - executor.heardMillis() < SETTINGS.executorTimeoutMillis()
        && executor.placedLately(now.observedMillis()) < SETTINGS.placementsPerMinute();
  }

  private static boolean runs(PoolState state, Request request) {
    return !able(state, request).isEmpty();
  }

  private static boolean isTooBig(Map<ExecutorId, Executor> able, Request request) {
    return able.values().stream().allMatch(e -> e.bytesTotal() < request.expectedBytes());
  }

  private static Map<ExecutorId, Executor> able(PoolState state, Request request) {
    Map<ExecutorId, Executor> able = new TreeMap<>(state.executors());
    able.values().removeIf(executor -> executor.lost());
    able.keySet().removeIf(id -> slots(state, id, request) == 0);
    return able;
  }

  private static int slots(PoolState state, ExecutorId id, Request request) {
    return state.executor(id).slots().getOrDefault(request.kind(), 0);
  }
}
