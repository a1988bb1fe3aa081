package io.turnkeeper.worker.child;

import io.turnkeeper.events.storage.Moved;
import io.turnkeeper.worker.work.Progress;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Tells what a process completed: its steps, and between them the data it moved. Less than {@link
 * #LEAST_BYTES} at a look is no progress, since polling for metadata moves as much.
 */
final class ChildIo {
  static final long LEAST_BYTES = 16 << 10;

  private final Supplier<Optional<Moved>> meter;
  private final Progress progress;
  private @Nullable Moved told;
  private String step = "reading and writing";

  /** What is told by {@code meter} counts from here on; empty if nobody counts. */
  ChildIo(Supplier<Optional<Moved>> meter, Progress progress) {
    this.meter = meter;
    this.progress = progress;
    this.told = meter.get().orElse(null);
  }

  synchronized void step(ChildMessage.Step message) {
    step = message.step();
    Optional<Moved> moved = moved();
    progress.completed(
        moved.map(Moved::read).orElse(message.bytesRead()),
        moved.map(Moved::written).orElse(message.bytesWritten()),
        message.rows(),
        step);
  }

  /** Looks whether it moved data since the last look. */
  synchronized void look() {
    Optional<Moved> moved = moved();
    if (moved.isPresent() && moved.get().total() >= LEAST_BYTES) {
      progress.completed(moved.get().read(), moved.get().written(), 0, step);
    }
  }

  private Optional<Moved> moved() {
    Moved before = told;
    Optional<Moved> now = meter.get();
    if (before == null || now.isEmpty()) {
      return Optional.empty();
    }
    told = now.get();
    return Optional.of(now.get().minus(before));
  }
}
