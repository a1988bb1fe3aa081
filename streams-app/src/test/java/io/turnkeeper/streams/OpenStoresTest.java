package io.turnkeeper.streams;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class OpenStoresTest {
  private static final long LIMIT_MILLIS = 10_000;

  private final OpenStores stores = new OpenStores();

  @Test
  void whatIsOpenIsToldToWhoReads() throws Exception {
    stores.opened(2);
    stores.opened(0);
    assertThat(stores.partitions()).containsExactly(0, 2);
    stores.closing(2);
    List<Integer> read = stores.read(LIMIT_MILLIS, List::copyOf);
    assertThat(read).containsExactly(0);
  }

  /** A store that was closed under a committed read of it would take the process with it. */
  @Test
  void aPartitionIsNotGivenUpWhileItIsRead() throws Exception {
    stores.opened(0);
    CountDownLatch reading = new CountDownLatch(1);
    CountDownLatch mayEnd = new CountDownLatch(1);
    CompletableFuture<Boolean> read =
        CompletableFuture.supplyAsync(() -> readUntil(reading, mayEnd));
    reading.await();
    Thread closing = new Thread(() -> stores.closing(0));
    closing.start();
    while (closing.getState() != Thread.State.WAITING) {
      Thread.onSpinWait();
    }
    assertThatThrownBy(() -> stores.read(1, open -> true))
        .as("who comes now does not hold it up any longer")
        .isInstanceOf(NotHereException.class);
    mayEnd.countDown();
    closing.join();
    assertThat(read.get(LIMIT_MILLIS, TimeUnit.MILLISECONDS)).as("still open to its end").isTrue();
    assertThat(stores.partitions()).isEmpty();
  }

  private boolean readUntil(CountDownLatch reading, CountDownLatch mayEnd) {
    try {
      return Boolean.TRUE.equals(
          stores.read(
              LIMIT_MILLIS,
              open -> {
                reading.countDown();
                try {
                  mayEnd.await();
                } catch (InterruptedException e) {
                  throw new AssertionError(e);
                }
                return open.contains(0);
              }));
    } catch (NotHereException e) {
      throw new AssertionError(e);
    }
  }
}
