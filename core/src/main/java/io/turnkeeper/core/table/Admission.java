package io.turnkeeper.core.table;

import io.turnkeeper.core.Require;
import org.jspecify.annotations.Nullable;

/**
 * What the writers of a table are told of its backlog.
 *
 * @param delayMillis how long to wait before the next batch is admitted
 */
public record Admission(Backlog backlog, long delayMillis) {
  public Admission {
    Require.count("delayMillis", delayMillis);
  }

  /** What they are told now; null if the policy says to tell them nothing. */
  public static @Nullable Admission of(TableState state, Context context) {
    long pending = state.pendingGenerations();
    return switch (context.policyOf(state).backpressure()) {
      case OFF -> null;
      case METRIC -> new Admission(Backlog.of(pending), 0);
      case DELAY_ADMISSION ->
          new Admission(Backlog.of(pending), Backlog.advisedDelayMillis(pending));
    };
  }
}
