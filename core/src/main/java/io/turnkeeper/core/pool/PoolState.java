package io.turnkeeper.core.pool;

import io.turnkeeper.core.Attempt;
import io.turnkeeper.core.ExecutorId;
import io.turnkeeper.core.Kind;
import io.turnkeeper.core.Now;
import io.turnkeeper.core.PoolId;
import io.turnkeeper.core.TableId;
import io.turnkeeper.core.UnitId;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
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

    Executor probed(boolean confirmed, boolean nowLost) {
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
    boolean isForgotten(Now now) {
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
    Reservation named(boolean nowLetGo) {
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
    waiting().changesSince(before.waiting(), to::request);
    reserved().changesSince(before.reserved(), to::reservation);
    turnedAway().changesSince(before.turnedAway(), to::refused);
  }

  /** The requests with their order of service. */
  IndexedMap<String, Request, Queues> waiting() {
    return waiting(requests);
  }

  /** What is reserved, with the sums of each executor. */
  IndexedMap<String, Reservation, Loads> reserved() {
    return reserved(reservations);
  }

  /** What was refused, likewise. */
  IndexedMap<String, Request, Queues> turnedAway() {
    return waiting(refused);
  }

  /** The requests in the order of service; derived from them. */
  Queues queues() {
    return waiting().index();
  }

  /** Likewise those that were refused. */
  Queues refusals() {
    return turnedAway().index();
  }

  /** What is reserved on each executor; derived from the reservations. */
  Loads loads() {
    return reserved().index();
  }

  PoolState withExecutor(ExecutorId id, Executor executor) {
    return new PoolState(pool, byId(executors).with(id, executor), requests, reservations, refused);
  }

  PoolState withRequests(SortedMap<String, Request> next) {
    return new PoolState(pool, executors, next, reservations, refused);
  }

  PoolState withReservations(SortedMap<String, Reservation> next) {
    return new PoolState(pool, executors, requests, next, refused);
  }

  PoolState withRefused(SortedMap<String, Request> next) {
    return new PoolState(pool, executors, requests, reservations, next);
  }

  /** Nothing is kept of an executor that is gone and holds nothing. */
  PoolState withoutExecutor(ExecutorId id) {
    return new PoolState(pool, byId(executors).without(id), requests, reservations, refused);
  }

  PoolState withoutRequest(UnitId unit, int attempt) {
    Request waiting = requests.get(unit.toString());
    if (waiting == null || waiting.attempt() != attempt) {
      return this;
    }
    return withRequests(waiting().without(unit.toString()));
  }

  /** When a lost executor is forgotten, or not known any more, in observed time. */
  long forgottenAtMillis(ExecutorId id, Executor lost) {
    boolean holds = holdsAnything(id, lost.incarnation());
    return lost.heardMillis() + (holds ? FORGOTTEN_AFTER_MILLIS : UNKNOWN_AFTER_MILLIS);
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
