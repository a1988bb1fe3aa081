package io.turnkeeper.streams;

import java.time.Duration;
import org.apache.kafka.streams.processor.Cancellable;
import org.apache.kafka.streams.processor.PunctuationType;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.jspecify.annotations.Nullable;

/**
 * When a task looks at its timers. Kafka Streams commits a transaction after each look, whether it
 * found something or not, so a task at rest looks when there is a reason and not ten times a
 * second.
 */
final class Looks {
  /** No two looks are closer than this, in milliseconds. */
  static final long LEAST_MILLIS = 100;

  private final ProcessorContext<?, ?> context;
  private final Runnable look;
  private @Nullable Cancellable next;
  private long nextMillis;

  Looks(ProcessorContext<?, ?> context, Runnable look) {
    this.context = context;
    this.look = look;
  }

  /** The next look is at that time at the latest, or as soon as looks may follow each other. */
  void by(long latestMillis, long nowMillis) {
    long millis = Math.max(latestMillis, nowMillis + LEAST_MILLIS);
    if (next != null) {
      if (nextMillis <= millis) {
        return;
      }
      next.cancel();
    }
    nextMillis = millis;
    next =
        context.schedule(
            Duration.ofMillis(millis - nowMillis),
            PunctuationType.WALL_CLOCK_TIME,
            ignored -> lookNow());
  }

  private void lookNow() {
    if (next != null) {
      next.cancel(); // Kafka would go on at the same interval.
      next = null;
    }
    look.run();
  }
}
