package io.turnkeeper.core.pool;

import io.turnkeeper.core.ExecutorId;
import io.turnkeeper.core.Kind;
import io.turnkeeper.core.Now;
import io.turnkeeper.core.partition.Settings;
import io.turnkeeper.core.pool.PoolState.Executor;
import io.turnkeeper.core.pool.PoolState.Request;
import io.turnkeeper.core.pool.PoolState.Reservation;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What is free on the executors of a pool that may be given work now. */
final class Room {
  /** One executor, and what is taken of it. */
  private static final class Place {
    private final ExecutorId id;
    private final Executor executor;
    private final Map<Kind, Integer> used = new EnumMap<>(Kind.class);
    private long reservedBytes;

    private Place(ExecutorId id, Executor executor) {
      this.id = id;
      this.executor = executor;
    }

    private void take(Reservation reservation) {
      reservedBytes += reservation.bytes();
      used.merge(reservation.kind(), 1, Integer::sum);
    }

    private boolean hasSlotFor(Request request) {
      Kind kind = request.kind();
      return used.getOrDefault(kind, 0) < executor.slots().getOrDefault(kind, 0);
    }

    private boolean hasBytesFor(Request request) {
      return executor.bytesTotal() - reservedBytes >= request.expectedBytes();
    }

    private boolean isWarmFor(Request request) {
      return executor.warm().contains(request.unit().table());
    }
  }

  private static final Comparator<Place> LEAST_LOADED =
      Comparator.<Place>comparingLong(place -> place.reservedBytes)
          .thenComparing(place -> place.id);

  private final Map<ExecutorId, Place> open = new TreeMap<>();
  private final Set<ExecutorId> heldBack = new HashSet<>();
  private long bytesLeftInFlight;

  private Room() {}

  static Room of(PoolState state, Settings settings, Now now) {
    Room room = new Room();
    state
        .executors()
        .forEach(
            (id, executor) -> {
              if (mayBeGivenWork(executor, settings, now)) {
                room.open.put(id, new Place(id, executor));
              }
            });
    room.bytesLeftInFlight = settings.bytesInFlight();
    for (Reservation reservation : state.reservations().values()) {
      room.bytesLeftInFlight -= reservation.bytes();
      Place place = room.open.get(reservation.attempt().executor());
      if (place != null) {
        place.take(reservation);
      }
    }
    return room;
  }

  /** A stale heartbeat is not believed, even before its silence has been checked. */
  private static boolean mayBeGivenWork(Executor executor, Settings settings, Now now) {
    long silent = now.observedMillis() - executor.heardMillis();
    return !executor.draining()
        && !executor.lost()
        && !executor.probed()
        && silent < settings.executorTimeoutMillis()
        && executor.placedLately(now.observedMillis()) < settings.placementsPerMinute();
  }

  /** Where it fits now: rather where its table is warm, then where least is reserved. */
  @Nullable ExecutorId bestFor(Request request) {
    if (request.expectedBytes() > bytesLeftInFlight) {
      return null;
    }
    return open.values().stream()
        .filter(place -> !heldBack.contains(place.id))
        .filter(place -> place.hasSlotFor(request) && place.hasBytesFor(request))
        .min(
            Comparator.<Place>comparingInt(place -> place.isWarmFor(request) ? 0 : 1)
                .thenComparing(LEAST_LOADED))
        .map(place -> place.id)
        .orElse(null);
  }

  boolean isWarm(ExecutorId id, Request request) {
    Place place = open.get(id);
    return place != null && place.isWarmFor(request);
  }

  /**
   * Size must not starve: an urgent unit that has a slot but fits nowhere keeps one executor that
   * could hold it from new work until it does. That executor only empties, so it stays the least
   * loaded one. A unit that waits for a slot holds nothing back: one kind never delays another.
   */
  void holdBackFor(Request request) {
    open.values().stream()
        .filter(place -> !heldBack.contains(place.id))
        .filter(place -> place.hasSlotFor(request))
        .filter(place -> place.executor.bytesTotal() >= request.expectedBytes())
        .min(LEAST_LOADED)
        .ifPresent(place -> heldBack.add(place.id));
  }
}
