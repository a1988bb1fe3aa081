package io.turnkeeper.worker;

import io.turnkeeper.core.pool.PoolEvent;
import io.turnkeeper.core.table.TableEvent;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/** Keeps what was told, and waits for what is yet to be told. */
final class RecordedReports implements Reports {
  private static final long PATIENCE_NANOS = Duration.ofSeconds(60).toNanos();

  private final List<Object> told = new ArrayList<>();
  private volatile Predicate<Object> refused = event -> false;

  @Override
  public void send(TableEvent event) {
    record(event);
  }

  @Override
  public void send(PoolEvent event) {
    record(event);
  }

  @Override
  public void giveUp() {
    refuse(event -> true);
  }

  private void record(Object event) {
    if (refused.test(event)) {
      throw new ReportFailedException("not taken: " + event, new IllegalStateException("test"));
    }
    keep(event);
  }

  private synchronized void keep(Object event) {
    told.add(event);
    notifyAll();
  }

  /** Takes none of {@code events} from now on; to look at one may take as long as a test wants. */
  void refuse(Predicate<Object> events) {
    refused = events;
  }

  synchronized <T> List<T> all(Class<T> type) {
    return told.stream().filter(type::isInstance).map(type::cast).toList();
  }

  synchronized List<String> names() {
    return told.stream().map(event -> event.getClass().getSimpleName()).toList();
  }

  /** The first fact of that type, once it is told. */
  <T> T await(Class<T> type) {
    return await(type, event -> true);
  }

  synchronized <T> T await(Class<T> type, Predicate<T> wanted) {
    long deadline = System.nanoTime() + PATIENCE_NANOS;
    while (true) {
      for (T event : all(type)) {
        if (wanted.test(event)) {
          return event;
        }
      }
      if (System.nanoTime() > deadline) {
        throw new AssertionError("expected a " + type.getSimpleName() + ", but told were " + told);
      }
      try {
        wait(100);
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
    }
  }
}
