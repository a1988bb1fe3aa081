package io.turnkeeper.core.pool;

import io.turnkeeper.core.ExecutorId;
import io.turnkeeper.core.Kind;
import io.turnkeeper.core.Now;
import io.turnkeeper.core.partition.Settings;
import io.turnkeeper.core.pool.PoolState.Executor;
import io.turnkeeper.core.pool.PoolState.Request;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What is free on the executors of a pool while units are placed on them one after the other. */
final class Room {
  /** One executor that may be given work, and what is taken of it. */
  static final class Place {
    private final ExecutorId id;
    private final Map<Kind, Integer> freeSlots = new EnumMap<>(Kind.class);
    private Executor executor;
    private long reservedBytes;

    private Place(ExecutorId id, Executor executor) {
      this.id = id;
      this.executor = executor;
      executor.slots().forEach(freeSlots::put);
    }

    ExecutorId id() {
      return id;
    }

    long incarnation() {
      return executor.incarnation();
    }

    private void take(Loads.Load load) {
      reservedBytes += load.bytes();
      load.slots().forEach((kind, count) -> freeSlots.merge(kind, -count, Integer::sum));
    }

    private boolean hasSlotFor(Kind kind) {
      return freeSlots.getOrDefault(kind, 0) > 0;
    }

    private long freeBytes() {
      return executor.bytesTotal() - reservedBytes;
    }

    boolean isWarmFor(Request request) {
      return executor.warm().contains(request.unit().table());
    }

    private boolean isLessLoadedThan(Place other) {
      return reservedBytes != other.reservedBytes
          ? reservedBytes < other.reservedBytes
          : id.compareTo(other.id) < 0;
    }
  }

  private final Settings settings;
  private final Now now;
  private final Map<Kind, Long> mostBytes = new EnumMap<>(Kind.class);

  /** Those that may be given work and are not held back. */
  private final List<Place> open = new ArrayList<>();

  private long bytesLeftInFlight;

  private Room(Settings settings, Now now) {
    this.settings = settings;
    this.now = now;
  }

  static Room of(PoolState state, Settings settings, Now now) {
    Room room = new Room(settings, now);
    room.bytesLeftInFlight = settings.bytesInFlight() - state.loads().bytes();
    state.executors().forEach(room::add);
    Map<ExecutorId, Place> byId = new HashMap<>();
    room.open.forEach(place -> byId.put(place.id, place));
    for (Map.Entry<Loads.Start, Loads.Load> held : state.loads().held()) {
      Place place = byId.get(held.getKey().executor());
      if (place != null) {
        place.take(held.getValue());
      }
    }
    return room;
  }

  private void add(ExecutorId id, Executor executor) {
    if (!executor.lost()) {
      executor
          .slots()
          .forEach(
              (kind, count) -> {
                if (count > 0) {
                  mostBytes.merge(kind, executor.bytesTotal(), Math::max);
                }
              });
    }
    if (mayBeGivenWork(executor)) {
      open.add(new Place(id, executor));
    }
  }

  /** A stale heartbeat is not believed, even before its silence has been checked. */
  private boolean mayBeGivenWork(Executor executor) {
    long silent = now.observedMillis() - executor.heardMillis();
    return !executor.draining()
        && !executor.lost()
        && !executor.probed()
        && silent < settings.executorTimeoutMillis()
        && executor.placedLately(now.observedMillis()) < settings.placementsPerMinute();
  }

  /** The biggest unit of a kind that fits somewhere now; negative if none does. */
  long freeBytes(Kind kind) {
    long most = -1;
    for (Place place : open) {
      if (place.hasSlotFor(kind)) {
        most = Math.max(most, place.freeBytes());
      }
    }
    return Math.min(most, bytesLeftInFlight);
  }

  /** The biggest unit of a kind that an executor with a free slot could hold if it were empty. */
  long holdableBytes(Kind kind) {
    long most = -1;
    for (Place place : open) {
      if (place.hasSlotFor(kind)) {
        most = Math.max(most, place.executor.bytesTotal());
      }
    }
    return most;
  }

  /** The biggest unit of a kind that anybody could ever hold; no limit while nobody runs it. */
  long mostBytes(Kind kind) {
    return mostBytes.getOrDefault(kind, Long.MAX_VALUE);
  }

  /** Likewise, but negative while nobody runs it. */
  long anybodysBytes(Kind kind) {
    return mostBytes.getOrDefault(kind, -1L);
  }

  /** Where it fits now: rather where its table is warm, then where least is reserved. */
  @Nullable Place bestFor(Request request) {
    if (request.expectedBytes() > bytesLeftInFlight) {
      return null;
    }
    Place best = null;
    boolean bestIsWarm = false;
    for (Place place : open) {
      if (place.hasSlotFor(request.kind()) && place.freeBytes() >= request.expectedBytes()) {
        boolean isWarm = place.isWarmFor(request);
        if (best == null || (isWarm == bestIsWarm ? place.isLessLoadedThan(best) : isWarm)) {
          best = place;
          bestIsWarm = isWarm;
        }
      }
    }
    return best;
  }

  /** The request is placed there. */
  void give(Place place, Request request) {
    place.freeSlots.merge(request.kind(), -1, Integer::sum);
    place.reservedBytes += request.expectedBytes();
    place.executor = place.executor.given(request.unit().table(), now.observedMillis());
    bytesLeftInFlight -= request.expectedBytes();
    if (!mayBeGivenWork(place.executor)) {
      open.remove(place);
    }
  }

  /**
   * Size must not starve: an urgent unit that has a slot but fits nowhere keeps one executor that
   * could hold it from new work until it does. That executor only empties, so it stays the least
   * loaded one. A unit that waits for a slot holds nothing back: one kind never delays another.
   */
  void holdBackFor(Request request) {
    open.stream()
        .filter(place -> place.hasSlotFor(request.kind()))
        .filter(place -> place.executor.bytesTotal() >= request.expectedBytes())
        .min(
            Comparator.<Place>comparingLong(place -> place.reservedBytes)
                .thenComparing(place -> place.id))
        .ifPresent(open::remove);
  }
}
