package io.turnkeeper.core.pool;

import io.turnkeeper.core.Attempt;
import io.turnkeeper.core.Kind;
import io.turnkeeper.core.Now;
import io.turnkeeper.core.UnitId;
import io.turnkeeper.core.pool.InboxEvent.PlacementRequested;
import io.turnkeeper.core.pool.InboxEvent.PlacementWithdrawn;
import io.turnkeeper.core.pool.InboxEvent.ReservationEnded;
import io.turnkeeper.core.pool.PoolState.Request;
import io.turnkeeper.core.pool.PoolState.Reservation;
import io.turnkeeper.core.table.PlacementEvent.PlacementRefused;

/** How places are asked for, given, refused and given back. */
final class PlacementFold {
  private PlacementFold() {}

  static PoolState requested(PoolState before, PlacementRequested event) {
    Reservation held = before.reservations().get(Loads.key(event.unit(), event.attempt()));
    if (held != null) {
      return before; // Already placed; the table will hear of it.
    }
    Request request =
        new Request(
            event.unit(),
            event.attempt(),
            event.kind(),
            event.rank(),
            event.score(),
            event.waitSinceMillis(),
            event.expectedBytes());
    return before
        .withRequests(before.waiting().with(event.unit().toString(), request))
        .withRefused(before.turnedAway().without(refusedKey(event.kind(), event.unit())));
  }

  private static String refusedKey(Kind kind, UnitId unit) {
    return kind + ":" + unit.table();
  }

  static PoolState withdrawn(PoolState before, PlacementWithdrawn event) {
    return before.withoutRequest(event.unit(), event.attempt());
  }

  static PoolState reservationEnded(PoolState before, ReservationEnded event) {
    String key = Loads.key(event.unit(), event.attempt());
    if (event.executor() == null) {
      return before
          .withReservations(before.reserved().without(key))
          .withoutRequest(event.unit(), event.attempt());
    }
    Reservation held = before.reservations().get(key);
    boolean isMeant =
        held != null
            && held.attempt().executor().equals(event.executor())
            && held.attempt().incarnation() == event.incarnation();
    return isMeant ? before.withReservations(before.reserved().without(key)) : before;
  }

  static PoolState placed(PoolState before, PoolDecision.PlaceUnit decision, Now now) {
    Attempt attempt = decision.attempt();
    Request request = before.requests().get(attempt.unit().toString());
    if (request == null) {
      throw new IllegalStateException("expected a request for " + decision);
    }
    Reservation reservation =
        new Reservation(attempt, request.kind(), decision.reservedBytes(), false, false);
    return before
        .withExecutor(
            attempt.executor(),
            before.executor(attempt.executor()).given(attempt.table(), now.observedMillis()))
        .withReservations(
            before.reserved().with(Loads.key(attempt.unit(), attempt.number()), reservation))
        .withoutRequest(attempt.unit(), attempt.number());
  }

  static PoolState refusedPlacement(PoolState before, PoolDecision.RefusePlacement decision) {
    if (decision.code().equals(PlacementRefused.ASK_AGAIN)) {
      return withoutRefusal(before, decision.unit());
    }
    Request waiting = before.requests().get(decision.unit().toString());
    if (waiting == null || waiting.attempt() != decision.attempt()) {
      return before;
    }
    return before
        .withoutRequest(decision.unit(), decision.attempt())
        .withRefused(before.turnedAway().with(refusedKey(waiting.kind(), waiting.unit()), waiting));
  }

  private static PoolState withoutRefusal(PoolState before, UnitId unit) {
    IndexedMap<String, Request, Queues> next = before.turnedAway();
    for (Kind kind : Kind.values()) {
      Request known = next.get(refusedKey(kind, unit));
      if (known != null && known.unit().equals(unit)) {
        next = next.without(refusedKey(kind, unit));
      }
    }
    return before.withRefused(next);
  }
}
