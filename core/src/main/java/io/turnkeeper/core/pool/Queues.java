package io.turnkeeper.core.pool;

import io.turnkeeper.core.Kind;
import io.turnkeeper.core.pool.PoolState.Request;
import io.turnkeeper.core.table.Scores;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The waiting requests of each kind in the order in which they are served. */
final class Queues implements IndexedMap.Index<Request, Queues> {
  static final Queues EMPTY = new Queues(new EnumMap<>(Kind.class));

  /** The class from which a unit may hold an executor back. */
  static final int URGENT = 1;

  private static final Comparator<Request> BY_WAIT =
      Comparator.comparingLong(Request::waitSinceMillis).thenComparing(Request::unit);

  private static final Comparator<Request> BY_SCORE =
      Comparator.comparingInt(Queues::log2).reversed().thenComparing(BY_WAIT);

  /** By class, then by score; class 1 is served oldest first. */
  static final Comparator<Request> ORDER =
      (one, other) -> {
        int byRank = Integer.compare(one.rank(), other.rank());
        if (byRank != 0) {
          return byRank;
        }
        return one.rank() == URGENT ? BY_WAIT.compare(one, other) : BY_SCORE.compare(one, other);
      };

  private final Map<Kind, Tree<Request, Request>> byKind;

  private Queues(Map<Kind, Tree<Request, Request>> byKind) {
    this.byKind = byKind;
  }

  @Override
  public Queues plus(Request request) {
    return with(request.kind(), queue(request.kind()).with(request, request));
  }

  @Override
  public Queues minus(Request request) {
    return with(request.kind(), queue(request.kind()).without(request));
  }

  private Queues with(Kind kind, Tree<Request, Request> queue) {
    Map<Kind, Tree<Request, Request>> next = new EnumMap<>(byKind);
    next.put(kind, queue);
    return new Queues(next);
  }

  private Tree<Request, Request> queue(Kind kind) {
    Tree<Request, Request> queue = byKind.get(kind);
    return queue == null ? Tree.empty(ORDER, Request::expectedBytes) : queue;
  }

  /**
   * The next request behind {@code after} about which the room as it is has something to say: it
   * fits somewhere, nowhere ever, or is urgent and has a slot. All that is passed over stays.
   */
  @Nullable Request next(@Nullable Request after, Room room) {
    Request next = null;
    for (Map.Entry<Kind, Tree<Request, Request>> entry : byKind.entrySet()) {
      Kind kind = entry.getKey();
      long free = room.freeBytes(kind);
      next = earlier(next, entry.getValue().firstAfter(after, free, room.mostBytes(kind)));
    }
    if (next == null) {
      return null; // Nothing is to be placed or refused, so there is nothing to hold back from.
    }
    for (Map.Entry<Kind, Tree<Request, Request>> entry : byKind.entrySet()) {
      long holdable = room.holdableBytes(entry.getKey());
      Request urgent = entry.getValue().firstAfter(after, holdable, Long.MAX_VALUE);
      if (urgent != null && urgent.rank() <= URGENT) {
        next = earlier(next, urgent);
      }
    }
    return next;
  }

  /** The next request behind {@code after} that some executor could hold if it were empty. */
  @Nullable Request nextHoldable(@Nullable Request after, Room room) {
    Request next = null;
    for (Map.Entry<Kind, Tree<Request, Request>> entry : byKind.entrySet()) {
      long most = room.anybodysBytes(entry.getKey());
      next = earlier(next, entry.getValue().firstAfter(after, most, Long.MAX_VALUE));
    }
    return next;
  }

  private static @Nullable Request earlier(@Nullable Request one, @Nullable Request other) {
    if (one == null || other == null) {
      return one == null ? other : one;
    }
    return ORDER.compare(one, other) <= 0 ? one : other;
  }

  private static int log2(Request request) {
    return Scores.log2(request.score());
  }
}
