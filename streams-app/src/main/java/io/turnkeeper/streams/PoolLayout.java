package io.turnkeeper.streams;

import io.turnkeeper.core.ExecutorId;
import io.turnkeeper.core.pool.PoolState;
import io.turnkeeper.core.pool.PoolState.Executor;
import io.turnkeeper.core.pool.PoolState.Request;
import io.turnkeeper.core.pool.PoolState.Reservation;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * A pool by its executors, requests, reservations and refusals: ten thousand units may wait, and
 * each event is about one of them.
 */
final class PoolLayout implements Layout<PoolState> {
  private static final String EXECUTOR = DIVIDER + "executor/";
  private static final String REQUEST = DIVIDER + "request/";
  private static final String RESERVATION = DIVIDER + "reservation/";
  private static final String REFUSED = DIVIDER + "refused/";

  @Override
  public Class<PoolState> type() {
    return PoolState.class;
  }

  @Override
  public boolean isDivided() {
    return true;
  }

  @Override
  public void changes(
      @Nullable PoolState before, PoolState after, BiConsumer<String, @Nullable Object> to) {
    PoolState nothing = PoolState.empty(after.pool());
    if (before == null) {
      to.accept("", nothing);
    }
    after.changesSince(
        before == null ? nothing : before,
        new PoolState.Changes() {
          @Override
          public void executor(ExecutorId id, @Nullable Executor executor) {
            to.accept(EXECUTOR + id, executor);
          }

          @Override
          public void request(String unit, @Nullable Request request) {
            to.accept(REQUEST + unit, request);
          }

          @Override
          public void reservation(String attempt, @Nullable Reservation reservation) {
            to.accept(RESERVATION + attempt, reservation);
          }

          @Override
          public void refused(String kindAndTable, @Nullable Request request) {
            to.accept(REFUSED + kindAndTable, request);
          }
        });
  }

  @Override
  public PoolState joined(PoolState main, Map<String, Object> parts) {
    SortedMap<ExecutorId, Executor> executors = new TreeMap<>(main.executors());
    SortedMap<String, Request> requests = new TreeMap<>(main.requests());
    SortedMap<String, Reservation> reservations = new TreeMap<>(main.reservations());
    SortedMap<String, Request> refused = new TreeMap<>(main.refused());
    parts.forEach(
        (suffix, part) -> {
          String id = suffix.substring(suffix.indexOf('/') + 1);
          if (suffix.startsWith(EXECUTOR)) {
            executors.put(new ExecutorId(id), (Executor) part);
          } else if (suffix.startsWith(REQUEST)) {
            requests.put(id, (Request) part);
          } else if (suffix.startsWith(RESERVATION)) {
            reservations.put(id, (Reservation) part);
          } else if (suffix.startsWith(REFUSED)) {
            refused.put(id, (Request) part);
          } else {
            throw new IllegalStateException("expected a part of a pool, but it is " + part);
          }
        });
    return new PoolState(main.pool(), executors, requests, reservations, refused);
  }

  @Override
  public boolean isCurrent(PoolState main) {
    return main.equals(PoolState.empty(main.pool()));
  }
}
