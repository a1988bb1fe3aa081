package io.turnkeeper.core.pool;

import io.turnkeeper.core.Attempt;
import io.turnkeeper.core.ExecutorId;
import io.turnkeeper.core.Kind;
import io.turnkeeper.core.UnitId;
import io.turnkeeper.core.pool.PoolState.Reservation;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.Map;

/** What is reserved on each start of each executor. */
final class Loads implements IndexedMap.Index<Reservation, Loads> {
  /** One start of an executor. */
  record Start(ExecutorId executor, long incarnation) {
    private static final Comparator<Start> ORDER =
        Comparator.comparing(Start::executor).thenComparingLong(Start::incarnation);

    static Start of(Attempt attempt) {
      return new Start(attempt.executor(), attempt.incarnation());
    }
  }

  /**
   * What one start holds.
   *
   * @param held its reservations, by unit and attempt
   * @param bytes the memory of those that are not let go
   * @param slots how many of those there are of each kind
   */
  record Load(Tree<String, Reservation> held, long bytes, Map<Kind, Integer> slots) {
    private static final Load NOTHING =
        new Load(
            Tree.empty(Comparator.naturalOrder(), reservation -> 0), 0, new EnumMap<>(Kind.class));

    int slots(Kind kind) {
      return slots.getOrDefault(kind, 0);
    }

    private Load changed(Tree<String, Reservation> next, Reservation by, int count) {
      if (by.letGo()) {
        return new Load(next, bytes, slots);
      }
      Map<Kind, Integer> used = new EnumMap<>(slots);
      used.merge(by.kind(), count, Integer::sum);
      return new Load(next, bytes + count * by.bytes(), used);
    }
  }

  static final Loads EMPTY = new Loads(Tree.empty(Start.ORDER, load -> 0), 0);

  private final Tree<Start, Load> byStart;
  private final long bytes;

  private Loads(Tree<Start, Load> byStart, long bytes) {
    this.byStart = byStart;
    this.bytes = bytes;
  }

  /** The key under which a reservation is kept. */
  static String key(UnitId unit, int attempt) {
    return unit + "@" + attempt;
  }

  private static String key(Reservation reservation) {
    return key(reservation.attempt().unit(), reservation.attempt().number());
  }

  @Override
  public Loads plus(Reservation reservation) {
    Start start = Start.of(reservation.attempt());
    Load load = load(start);
    Load more = load.changed(load.held().with(key(reservation), reservation), reservation, 1);
    return new Loads(byStart.with(start, more), bytes - load.bytes() + more.bytes());
  }

  @Override
  public Loads minus(Reservation reservation) {
    Start start = Start.of(reservation.attempt());
    Load load = load(start);
    Load less = load.changed(load.held().without(key(reservation)), reservation, -1);
    return new Loads(
        less.held().size() == 0 ? byStart.without(start) : byStart.with(start, less),
        bytes - load.bytes() + less.bytes());
  }

  Load load(Start start) {
    Load load = byStart.get(start);
    return load == null ? Load.NOTHING : load;
  }

  /** The starts that hold anything. */
  Iterable<Map.Entry<Start, Load>> held() {
    return byStart;
  }

  /** All bytes that are reserved. */
  long bytes() {
    return bytes;
  }
}
