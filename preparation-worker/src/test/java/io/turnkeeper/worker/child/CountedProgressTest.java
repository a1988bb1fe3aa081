package io.turnkeeper.worker.child;

import static org.assertj.core.api.Assertions.assertThat;

import io.turnkeeper.events.storage.ForwardingStorage;
import io.turnkeeper.events.storage.MemoryStorage;
import io.turnkeeper.events.storage.Moved;
import io.turnkeeper.events.storage.Storage;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class CountedProgressTest {
  private final AtomicLong read = new AtomicLong(5_000_000);
  private final LinkedBlockingQueue<ChildMessage> told = new LinkedBlockingQueue<>();
  private final Storage counted =
      new ForwardingStorage(new MemoryStorage("/counted")) {
        @Override
        public Optional<Moved> moved() {
          return Optional.of(new Moved(read.get(), 0));
        }
      };

  private CountedProgress progress(Storage storage) {
    return CountedProgress.of(storage, new ToldProgress(told::add));
  }

  @Test
  void whatIsMovedBetweenTwoStepsIsTold() throws Exception {
    try (CountedProgress progress = progress(counted)) {
      read.addAndGet(ChildIo.LEAST_BYTES);
      assertThat(told.poll(20, TimeUnit.SECONDS))
          .isEqualTo(new ChildMessage.Step(ChildIo.LEAST_BYTES, 0, 0, "reading and writing"));
      read.addAndGet(10);
      progress.completed(7, 8, 9, "read 1 of 2 fragments");
      assertThat(told.poll(20, TimeUnit.SECONDS))
          .isEqualTo(new ChildMessage.Step(10, 0, 9, "read 1 of 2 fragments"));
    }
    assertThat(told).isEmpty();
  }

  @Test
  void whereNobodyCountsAStepSaysItself() {
    try (CountedProgress progress = progress(new MemoryStorage("/local"))) {
      progress.planned(3, List.of(1L));
      progress.completed(7, 8, 9, "read 1 of 2 fragments");
    }
    assertThat(told)
        .containsExactly(
            new ChildMessage.Planned(3, List.of(1L)),
            new ChildMessage.Step(7, 8, 9, "read 1 of 2 fragments"));
  }
}
