package io.turnkeeper.core.pool;

import io.turnkeeper.core.Attempt;
import io.turnkeeper.core.ExecutorId;
import io.turnkeeper.core.Kind;
import io.turnkeeper.core.Now;
import io.turnkeeper.core.PoolId;
import io.turnkeeper.core.TableId;
import io.turnkeeper.core.UnitId;
import io.turnkeeper.core.pool.ExecutorEvent.ExecutorGone;
import io.turnkeeper.core.pool.ExecutorEvent.ExecutorHeartbeat;
import io.turnkeeper.core.pool.ExecutorEvent.ExecutorProbe;
import io.turnkeeper.core.pool.ExecutorEvent.LiveUnit;
import io.turnkeeper.core.pool.InboxEvent.PlacementRequested;
import io.turnkeeper.core.pool.InboxEvent.PlacementWithdrawn;
import io.turnkeeper.core.pool.InboxEvent.ReservationEnded;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * Everything the rules know of one pool.
 *
 * @param requests the units that wait for a place, by unit
 * @param reservations what is reserved, by unit and attempt
 */
public record PoolState(
    PoolId pool,
    SortedMap<ExecutorId, Executor> executors,
    SortedMap<String, Request> requests,
    SortedMap<String, Reservation> reservations) {
  /** The time over which an executor's placements are counted. */
  static final long MINUTE_MILLIS = 60_000;

  /** How many tables an executor is thought to have in its caches. */
  static final int MAX_WARM = 16;

  /**
   * One executor as it last described itself.
   *
   * @param heardMillis observed time of its last word
   * @param probed whether its silence is being checked
   * @param lost whether it was silent too long; it gets no work until it speaks
   * @param minuteMillis observed time at which the minute began in which it was last given a unit
   * @param placedInMinute how many units it was given in that minute
   * @param warm the tables whose units it was given last, the newest first
   */
  public record Executor(
      long incarnation,
      SortedMap<Kind, Integer> slots,
      long bytesTotal,
      boolean draining,
      long heardMillis,
      boolean probed,
      boolean confirmedSilent,
      boolean lost,
      long minuteMillis,
      long placedInMinute,
      List<TableId> warm) {
    public Executor {
      warm = List.copyOf(warm);
      slots = Collections.unmodifiableSortedMap(new TreeMap<>(slots));
    }

    private Executor probed(boolean confirmed, boolean nowLost) {
      return new Executor(
          incarnation,
          slots,
          bytesTotal,
          draining,
          heardMillis,
          true,
          confirmed,
          nowLost,
          minuteMillis,
          placedInMinute,
          warm);
    }

    /** Units it was given in the minute that is running. */
    long placedLately(long observedMillis) {
      return observedMillis - minuteMillis < MINUTE_MILLIS ? placedInMinute : 0;
    }

    private Executor given(TableId table, long observedMillis) {
      boolean sameMinute = placedLately(observedMillis) > 0;
      List<TableId> newest = new ArrayList<>();
      newest.add(table);
      warm.stream().filter(other -> !other.equals(table)).limit(MAX_WARM - 1).forEach(newest::add);
      return new Executor(
          incarnation,
          slots,
          bytesTotal,
          draining,
          heardMillis,
          probed,
          confirmedSilent,
          lost,
          sameMinute ? minuteMillis : observedMillis,
          placedLately(observedMillis) + 1,
          newest);
    }
  }

  /** A unit that waits for a place. */
  public record Request(
      UnitId unit,
      int attempt,
      Kind kind,
      int rank,
      double score,
      long waitSinceMillis,
      long expectedBytes) {}

  /**
   * A place that is taken.
   *
   * @param listed whether a heartbeat has named the attempt as live
   * @param orphaned whether its table was told that the attempt is over
   */
  public record Reservation(
      Attempt attempt, Kind kind, long bytes, boolean listed, boolean orphaned) {}

  public PoolState {
    executors = Collections.unmodifiableSortedMap(new TreeMap<>(executors));
    requests = Collections.unmodifiableSortedMap(new TreeMap<>(requests));
    reservations = Collections.unmodifiableSortedMap(new TreeMap<>(reservations));
  }

  /** A pool nobody has spoken of. */
  public static PoolState empty(PoolId pool) {
    return new PoolState(
        pool,
        Collections.emptySortedMap(),
        Collections.emptySortedMap(),
        Collections.emptySortedMap());
  }

  PoolState heard(ExecutorHeartbeat beat, Now now) {
    Executor known = executors.get(beat.executor());
    if (known != null && beat.incarnation() < known.incarnation()) {
      return this; // An earlier start of the same executor, late.
    }
    boolean same = known != null && known.incarnation() == beat.incarnation();
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
    return with(beat.executor(), executor).withReservations(reconciled(beat));
  }

  /**
   * What a heartbeat named before and names no more is over; what it never named may be on its way.
   */
  private SortedMap<String, Reservation> reconciled(ExecutorHeartbeat beat) {
    SortedMap<String, Reservation> next = new TreeMap<>(reservations);
    reservations.forEach(
        (key, reservation) -> {
          Attempt attempt = reservation.attempt();
          if (attempt.executor().equals(beat.executor())
              && attempt.incarnation() == beat.incarnation()) {
            boolean named =
                beat.liveUnits().contains(new LiveUnit(attempt.unit(), attempt.number()));
            if (named) {
              next.put(
                  key,
                  new Reservation(
                      attempt,
                      reservation.kind(),
                      reservation.bytes(),
                      true,
                      reservation.orphaned()));
            } else if (reservation.listed() || reservation.orphaned()) {
              next.remove(key);
            }
          }
        });
    return next;
  }

  PoolState gone(ExecutorGone event) {
    Executor known = executors.get(event.executor());
    if (known == null || event.incarnation() < known.incarnation()) {
      return this;
    }
    return withoutExecutor(event.executor());
  }

  PoolState probed(ExecutorProbe probe, Now now) {
    Executor known = executors.get(probe.executor());
    if (known == null || known.incarnation() != probe.incarnation() || !known.probed()) {
      return this;
    }
    return with(probe.executor(), known.probed(true, known.lost()));
  }

  PoolState probeSent(PoolDecision.ProbeExecutor decision, Now now) {
    Executor known = executors.get(decision.executor());
    return known == null ? this : with(decision.executor(), known.probed(false, known.lost()));
  }

  private PoolState with(ExecutorId id, Executor executor) {
    SortedMap<ExecutorId, Executor> next = new TreeMap<>(executors);
    next.put(id, executor);
    return new PoolState(pool, next, requests, reservations);
  }

  private PoolState withReservations(SortedMap<String, Reservation> next) {
    return new PoolState(pool, executors, requests, next);
  }

  PoolState requested(PlacementRequested event) {
    Reservation held = reservations.get(key(event.unit(), event.attempt()));
    if (held != null) {
      return this; // Already placed; the table will hear of it.
    }
    SortedMap<String, Request> next = new TreeMap<>(requests);
    next.put(
        event.unit().toString(),
        new Request(
            event.unit(),
            event.attempt(),
            event.kind(),
            event.rank(),
            event.score(),
            event.waitSinceMillis(),
            event.expectedBytes()));
    return new PoolState(pool, executors, next, reservations);
  }

  PoolState withdrawn(PlacementWithdrawn event) {
    return withoutRequest(event.unit(), event.attempt());
  }

  PoolState reservationEnded(ReservationEnded event) {
    SortedMap<String, Reservation> next = new TreeMap<>(reservations);
    next.remove(key(event.unit(), event.attempt()));
    return new PoolState(pool, executors, requests, next)
        .withoutRequest(event.unit(), event.attempt());
  }

  private PoolState withoutRequest(UnitId unit, int attempt) {
    Request waiting = requests.get(unit.toString());
    if (waiting == null || waiting.attempt() != attempt) {
      return this;
    }
    SortedMap<String, Request> next = new TreeMap<>(requests);
    next.remove(unit.toString());
    return new PoolState(pool, executors, next, reservations);
  }

  PoolState placed(PoolDecision.PlaceUnit decision, Now now) {
    Attempt attempt = decision.attempt();
    Request request = requests.get(attempt.unit().toString());
    if (request == null) {
      throw new IllegalStateException("expected a request for " + decision);
    }
    SortedMap<String, Reservation> next = new TreeMap<>(reservations);
    next.put(
        key(attempt.unit(), attempt.number()),
        new Reservation(attempt, request.kind(), decision.reservedBytes(), false, false));
    return with(
            attempt.executor(),
            executor(attempt.executor()).given(attempt.table(), now.observedMillis()))
        .withReservations(next)
        .withoutRequest(attempt.unit(), attempt.number());
  }

  PoolState refusedPlacement(PoolDecision.RefusePlacement decision) {
    return withoutRequest(decision.unit(), decision.attempt());
  }

  /** A silent executor keeps its reservations until it speaks; a replaced one holds nothing. */
  PoolState lost(PoolDecision.DeclareExecutorLost decision) {
    Executor known = executors.get(decision.executor());
    Predicate<Attempt> ofLost =
        attempt ->
            attempt.executor().equals(decision.executor())
                && attempt.incarnation() <= decision.incarnation();
    boolean silent = known != null && known.incarnation() == decision.incarnation();
    SortedMap<String, Reservation> next = new TreeMap<>();
    reservations.forEach(
        (key, reservation) -> {
          if (!ofLost.test(reservation.attempt())) {
            next.put(key, reservation);
          } else if (silent) {
            next.put(
                key,
                new Reservation(
                    reservation.attempt(),
                    reservation.kind(),
                    reservation.bytes(),
                    reservation.listed(),
                    true));
          }
        });
    PoolState after = new PoolState(pool, executors, requests, next);
    if (!silent || known == null) {
      return after;
    }
    return after.reservedBytes(decision.executor()) == 0
        ? after.withoutExecutor(decision.executor())
        : after.with(decision.executor(), known.probed(true, true));
  }

  /** Nothing is kept of an executor that is gone and holds nothing. */
  private PoolState withoutExecutor(ExecutorId id) {
    SortedMap<ExecutorId, Executor> next = new TreeMap<>(executors);
    next.remove(id);
    return new PoolState(pool, next, requests, reservations);
  }

  Executor executor(ExecutorId id) {
    Executor executor = executors.get(id);
    if (executor == null) {
      throw new IllegalStateException("expected executor " + id + " in pool " + pool);
    }
    return executor;
  }

  /** Bytes reserved on an executor. */
  public long reservedBytes(ExecutorId executor) {
    return reservations.values().stream()
        .filter(reservation -> reservation.attempt().executor().equals(executor))
        .mapToLong(Reservation::bytes)
        .sum();
  }

  /** Slots of a kind in use on an executor. */
  public long usedSlots(ExecutorId executor, Kind kind) {
    return reservations.values().stream()
        .filter(reservation -> reservation.attempt().executor().equals(executor))
        .filter(reservation -> reservation.kind() == kind)
        .count();
  }

  private static String key(UnitId unit, int attempt) {
    return unit + "@" + attempt;
  }
}
