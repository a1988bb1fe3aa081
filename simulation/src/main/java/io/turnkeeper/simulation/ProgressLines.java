package io.turnkeeper.simulation;

import java.io.PrintWriter;
import java.time.Duration;

/** Says every few seconds how far a campaign is, where there is no terminal to draw on. */
final class ProgressLines implements Progress {
  private static final long EVERY_NANOS = Duration.ofSeconds(5).toNanos();

  private final PrintWriter out;
  private long saidNanos = System.nanoTime() - EVERY_NANOS; // The first life is told of at once.

  ProgressLines(PrintWriter out) {
    this.out = out;
  }

  @Override
  public void lived(int lives, int seeds) {
    say("%,d of %,d lives".formatted(lives, seeds));
  }

  @Override
  public void shrinking(int tried, int most, int actions) {
    say(
        "a life failed; %d actions are enough for it, %d of %d were tried"
            .formatted(actions, tried, most));
  }

  private void say(String what) {
    long now = System.nanoTime();
    if (now - saidNanos >= EVERY_NANOS) {
      saidNanos = now;
      out.println(what);
      out.flush();
    }
  }
}
