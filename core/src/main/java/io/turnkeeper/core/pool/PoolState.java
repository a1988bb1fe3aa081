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
import io.turnkeeper.core.table.PlacementEvent.PlacementRefused;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/**
 * Everything the rules know of one pool.
 *
 * @param requests the units that wait for a place, by unit
 * @param reservations what is reserved, by unit and attempt
 * @param refused the last unit of each kind and table that was too big for everybody, by kind and
 *     table; its table is told when somebody joins who could hold it
 */
public record PoolState(
    PoolId pool,
    SortedMap<ExecutorId, Executor> executors,
    SortedMap<String, Request> requests,
    SortedMap<String, Reservation> reservations,
    SortedMap<String, Request> refused) {
  /** The time over which an executor's placements are counted. */
  static final long MINUTE_MILLIS = 60_000;

  /** How many tables an executor is thought to have in its caches. */
  static final int MAX_WARM = 16;

  /**
   * How long a silent executor keeps its places, in observed time. What it said is kept on its
   * topic for a day, so nothing that it says later can have been said before.
   */
  static final long FORGOTTEN_AFTER_MILLIS = 86_400_000;

  /**
   * How long a silent executor is known, in observed time. Orders are kept for a week, in pieces
   * that may be as old again, so after this it finds none that it has not read.
   */
  static final long UNKNOWN_AFTER_MILLIS = 14 * FORGOTTEN_AFTER_MILLIS;

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
      slots = IndexedMap.of(slots, new IndexedMap.None<>());
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

    /** Whether this start was silent for so long that its places were given to others. */
    private boolean isForgotten(Now now) {
      return lost && now.observedMillis() - heardMillis >= FORGOTTEN_AFTER_MILLIS;
    }

    /** Units it was given in the minute that is running. */
    long placedLately(long observedMillis) {
      return observedMillis - minuteMillis < MINUTE_MILLIS ? placedInMinute : 0;
    }

    Executor given(TableId table, long observedMillis) {
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
   * @param letGo whether the last heartbeat named it no more: slot and memory are free, and it is
   *     only kept until its table gives it back, or has to be told that its executor is gone
   */
  public record Reservation(Attempt attempt, Kind kind, long bytes, boolean listed, boolean letGo) {
    private Reservation named(boolean nowLetGo) {
      return new Reservation(attempt, kind, bytes, true, nowLetGo);
    }
  }

  /** Takes the differences of two states of a pool; null stands for what is not there any more. */
  public interface Changes {
    void executor(ExecutorId id, @Nullable Executor executor);

    void request(String unit, @Nullable Request request);

    void reservation(String attempt, @Nullable Reservation reservation);

    void refused(String kindAndTable, @Nullable Request request);
  }

  public PoolState {
    executors = byId(executors);
    requests = waiting(requests);
    reservations = reserved(reservations);
    refused = waiting(refused);
  }

  /** A pool nobody has spoken of. */
  public static PoolState empty(PoolId pool) {
    return new PoolState(
        pool,
        Collections.emptySortedMap(),
        Collections.emptySortedMap(),
        Collections.emptySortedMap(),
        Collections.emptySortedMap());
  }

  private static IndexedMap<ExecutorId, Executor, IndexedMap.None<Executor>> byId(
      SortedMap<ExecutorId, Executor> map) {
    return IndexedMap.of(map, new IndexedMap.None<>());
  }

  private static IndexedMap<String, Request, Queues> waiting(SortedMap<String, Request> map) {
    return IndexedMap.of(map, Queues.EMPTY);
  }

  private static IndexedMap<String, Reservation, Loads> reserved(
      SortedMap<String, Reservation> map) {
    return IndexedMap.of(map, Loads.EMPTY);
  }

  /**
   * Tells in what this state differs from one it came from, at the price of the differences. What
   * was replaced by its equal may be told too.
   */
  public void changesSince(PoolState before, Changes to) {
    byId(executors).changesSince(byId(before.executors), to::executor);
    waiting(requests).changesSince(waiting(before.requests), to::request);
    reserved(reservations).changesSince(reserved(before.reservations), to::reservation);
    waiting(refused).changesSince(waiting(before.refused), to::refused);
  }

  /** The requests in the order of service; derived from them. */
  Queues queues() {
    return waiting(requests).index();
  }

  /** Likewise those that were refused. */
  Queues refusals() {
    return waiting(refused).index();
  }

  /** What is reserved on each executor; derived from the reservations. */
  Loads loads() {
    return reserved(reservations).index();
  }

  PoolState heard(ExecutorHeartbeat beat, Now now) {
    Executor known = executors.get(beat.executor());
    if (known != null && beat.incarnation() < known.incarnation()) {
      return this; // An earlier start of the same executor, late.
    }
    boolean same = known != null && known.incarnation() == beat.incarnation();
    if (same && known != null && known.isForgotten(now)) {
      return this; // What it held was given to others, and it may still run it.
    }
    if (known == null && !beat.liveUnits().isEmpty()) {
      return this; // A start begins with nothing: this one was forgotten, and still holds that.
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
    return with(beat.executor(), executor).withReservations(reconciled(beat));
  }

  /**
   * What a heartbeat named before and names no more is let go; what it never named may be on its
   * way, also to an executor that comes back from a long silence and has not read its orders yet.
   */
  private SortedMap<String, Reservation> reconciled(ExecutorHeartbeat beat) {
    Set<LiveUnit> named = Set.copyOf(beat.liveUnits());
    IndexedMap<String, Reservation, Loads> next = reserved(reservations);
    Loads.Start start = new Loads.Start(beat.executor(), beat.incarnation());
    for (Map.Entry<String, Reservation> entry : loads().load(start).held()) {
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
    return new PoolState(pool, byId(executors).with(id, executor), requests, reservations, refused);
  }

  private PoolState withRequests(SortedMap<String, Request> next) {
    return new PoolState(pool, executors, next, reservations, refused);
  }

  private PoolState withReservations(SortedMap<String, Reservation> next) {
    return new PoolState(pool, executors, requests, next, refused);
  }

  private PoolState withRefused(SortedMap<String, Request> next) {
    return new PoolState(pool, executors, requests, reservations, next);
  }

  PoolState requested(PlacementRequested event) {
    Reservation held = reservations.get(Loads.key(event.unit(), event.attempt()));
    if (held != null) {
      return this; // Already placed; the table will hear of it.
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
    return withRequests(waiting(requests).with(event.unit().toString(), request))
        .withRefused(waiting(refused).without(refusedKey(event.kind(), event.unit())));
  }

  private static String refusedKey(Kind kind, UnitId unit) {
    return kind + ":" + unit.table();
  }

  PoolState withdrawn(PlacementWithdrawn event) {
    return withoutRequest(event.unit(), event.attempt());
  }

  PoolState reservationEnded(ReservationEnded event) {
    String key = Loads.key(event.unit(), event.attempt());
    if (event.executor() == null) {
      return withReservations(reserved(reservations).without(key))
          .withoutRequest(event.unit(), event.attempt());
    }
    Reservation held = reservations.get(key);
    boolean isMeant =
        held != null
            && held.attempt().executor().equals(event.executor())
            && held.attempt().incarnation() == event.incarnation();
    return isMeant ? withReservations(reserved(reservations).without(key)) : this;
  }

  private PoolState withoutRequest(UnitId unit, int attempt) {
    Request waiting = requests.get(unit.toString());
    if (waiting == null || waiting.attempt() != attempt) {
      return this;
    }
    return withRequests(waiting(requests).without(unit.toString()));
  }

  PoolState placed(PoolDecision.PlaceUnit decision, Now now) {
    Attempt attempt = decision.attempt();
    Request request = requests.get(attempt.unit().toString());
    if (request == null) {
      throw new IllegalStateException("expected a request for " + decision);
    }
    Reservation reservation =
        new Reservation(attempt, request.kind(), decision.reservedBytes(), false, false);
    return with(
            attempt.executor(),
            executor(attempt.executor()).given(attempt.table(), now.observedMillis()))
        .withReservations(
            reserved(reservations).with(Loads.key(attempt.unit(), attempt.number()), reservation))
        .withoutRequest(attempt.unit(), attempt.number());
  }

  PoolState refusedPlacement(PoolDecision.RefusePlacement decision) {
    if (decision.code().equals(PlacementRefused.ASK_AGAIN)) {
      return withoutRefusal(decision.unit());
    }
    Request waiting = requests.get(decision.unit().toString());
    if (waiting == null || waiting.attempt() != decision.attempt()) {
      return this;
    }
    return withoutRequest(decision.unit(), decision.attempt())
        .withRefused(waiting(refused).with(refusedKey(waiting.kind(), waiting.unit()), waiting));
  }

  private PoolState withoutRefusal(UnitId unit) {
    IndexedMap<String, Request, Queues> next = waiting(refused);
    for (Kind kind : Kind.values()) {
      Request known = next.get(refusedKey(kind, unit));
      if (known != null && known.unit().equals(unit)) {
        next = next.without(refusedKey(kind, unit));
      }
    }
    return withRefused(next);
  }

  /**
   * A silent executor keeps its reservations until each is given back or it is forgotten; others
   * hold nothing.
   */
  PoolState lost(PoolDecision.DeclareExecutorLost decision) {
    ExecutorId id = decision.executor();
    if (!holdsAnything(id, decision.incarnation())) {
      return withoutExecutor(id);
    }
    if (decision.silent()) {
      return with(id, executor(id).probed(true, true));
    }
    IndexedMap<String, Reservation, Loads> next = reserved(reservations);
    for (Map.Entry<Loads.Start, Loads.Load> load : loads().held()) {
      Loads.Start start = load.getKey();
      if (start.executor().equals(id) && start.incarnation() <= decision.incarnation()) {
        for (Map.Entry<String, Reservation> held : load.getValue().held()) {
          next = next.without(held.getKey());
        }
      }
    }
    return withReservations(next);
  }

  /** When a lost executor is forgotten, or not known any more, in observed time. */
  long forgottenAtMillis(ExecutorId id, Executor lost) {
    boolean holds = holdsAnything(id, lost.incarnation());
    return lost.heardMillis() + (holds ? FORGOTTEN_AFTER_MILLIS : UNKNOWN_AFTER_MILLIS);
  }

  /** Nothing is kept of an executor that is gone and holds nothing. */
  private PoolState withoutExecutor(ExecutorId id) {
    return new PoolState(pool, byId(executors).without(id), requests, reservations, refused);
  }

  /** Whether that start was given a place of which its table has not said that it is over. */
  boolean holdsAnything(ExecutorId executor, long incarnation) {
    return loads().load(new Loads.Start(executor, incarnation)).held().size() > 0;
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
    long bytes = 0;
    for (Map.Entry<Loads.Start, Loads.Load> held : loads().held()) {
      bytes += held.getKey().executor().equals(executor) ? held.getValue().bytes() : 0;
    }
    return bytes;
  }

  /** Slots of a kind in use on an executor. */
  public long usedSlots(ExecutorId executor, Kind kind) {
    long used = 0;
    for (Map.Entry<Loads.Start, Loads.Load> held : loads().held()) {
      used += held.getKey().executor().equals(executor) ? held.getValue().slots(kind) : 0;
    }
    return used;
  }
}
