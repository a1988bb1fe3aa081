package io.turnkeeper.local;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * What happens when the process ends, by itself or by Ctrl-C or SIGTERM: the command is interrupted
 * and given time to stop all it started in order, then the temporary directory goes.
 */
final class Shutdown implements Runnable {
  private static final Duration PATIENCE = Duration.ofSeconds(9);

  private final Thread command;
  private final @Nullable Path temporary;
  private final CountDownLatch ended = new CountDownLatch(1);
  private final AtomicBoolean requested = new AtomicBoolean();

  private Shutdown(Thread command, @Nullable Path temporary) {
    this.command = command;
    this.temporary = temporary;
  }

  /** Watches over the calling thread, which runs the command. */
  static Shutdown install() {
    String temporary = System.getProperty("turnkeeper.tmp");
    Shutdown shutdown =
        new Shutdown(Thread.currentThread(), temporary == null ? null : Path.of(temporary));
    Runtime.getRuntime().addShutdownHook(new Thread(shutdown, "shutdown"));
    return shutdown;
  }

  /** Whether the process was asked to stop while the command ran. */
  boolean isRequested() {
    return requested.get();
  }

  /** The command is through; nothing is left to interrupt. */
  void commandEnded() {
    ended.countDown();
  }

  @Override
  public void run() {
    if (ended.getCount() > 0) {
      requested.set(true);
      command.interrupt();
    }
    try {
      if (!ended.await(PATIENCE.toMillis(), TimeUnit.MILLISECONDS)) {
        System.err.println(
            "turnkeeper: not everything stopped within " + PATIENCE.toSeconds() + " s");
      }
      if (temporary != null) {
        Trees.delete(temporary);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (IOException e) {
      System.err.println("turnkeeper: cannot remove " + temporary + ": " + e);
    }
  }
}
