package io.turnkeeper.local;

import java.io.PrintWriter;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** Tells people what a start waits for, once that takes longer than a few seconds. */
public final class StartProgress implements AutoCloseable {
  private static final Duration INTERVAL = Duration.ofSeconds(5);

  private final PrintWriter out;
  private final long startNanos = System.nanoTime();
  private final ScheduledExecutorService clock =
      Executors.newSingleThreadScheduledExecutor(
          task -> {
            Thread thread = new Thread(task, "start-progress");
            thread.setDaemon(true);
            return thread;
          });
  private String step = "";

  public StartProgress(PrintWriter out) {
    this(out, INTERVAL);
  }

  StartProgress(PrintWriter out, Duration interval) {
    this.out = out;
    Future<?> unused =
        clock.scheduleAtFixedRate(
            this::tell, interval.toNanos(), interval.toNanos(), TimeUnit.NANOSECONDS);
  }

  /** From now on the start waits for that. */
  public synchronized void waitsFor(String next) {
    step = next;
  }

  synchronized void tell() {
    if (!step.isEmpty()) {
      long seconds = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - startNanos);
      out.printf("starting since %d s, it waits for %s%n", seconds, step);
      out.flush();
    }
  }

  /** Nothing more is told. */
  @Override
  public void close() {
    waitsFor("");
    clock.shutdownNow();
  }
}
