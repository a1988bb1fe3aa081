package io.turnkeeper.worker.child;

import io.turnkeeper.worker.child.ProcessMeter.Io;
import io.turnkeeper.worker.work.Progress;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Tells what a process completed: its steps, and between them the data it moved. Less than {@link
 * #LEAST_BYTES} at a look is no progress, since polling for metadata moves as much.
 */
final class ChildIo {
  static final long LEAST_BYTES = 16 << 10;

  private final ProcessMeter meter;
  private final Progress progress;
  private @Nullable Io told;
  private String step = "reading and writing";

  ChildIo(ProcessMeter meter, Progress progress) {
    this.meter = meter;
    this.progress = progress;
    this.told = meter.io().orElse(null);
  }

  synchronized void step(ChildMessage.Step message) {
    step = message.step();
    Optional<Io> moved = moved();
    progress.completed(
        moved.map(Io::read).orElse(message.bytesRead()),
        moved.map(Io::written).orElse(message.bytesWritten()),
        message.rows(),
        step);
  }

  /** Looks whether it moved data since the last look. */
  synchronized void look() {
    Optional<Io> moved = moved();
    if (moved.isPresent() && moved.get().total() >= LEAST_BYTES) {
      progress.completed(moved.get().read(), moved.get().written(), 0, step);
    }
  }

  private Optional<Io> moved() {
    Io before = told;
    Optional<Io> now = meter.io();
    if (before == null || now.isEmpty()) {
      return Optional.empty();
    }
    told = now.get();
    return Optional.of(now.get().minus(before));
  }
}
