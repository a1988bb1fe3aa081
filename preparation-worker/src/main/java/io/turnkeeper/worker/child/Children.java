package io.turnkeeper.worker.child;

import java.io.EOFException;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The processes for preparations; some are kept ready, so that their start does not show. */
public final class Children implements AutoCloseable {
  private static final Logger LOGGER = LoggerFactory.getLogger(Children.class);

  /** A process that grew beyond this does not go back: memory that was freed stays with it. */
  private static final long LARGEST_IDLE_BYTES = 320L << 20;

  private final int ready;
  private final Deque<Child> idle = new ArrayDeque<>();
  private int starting;
  private int waiting;
  private boolean closed;

  /**
   * None is started yet.
   *
   * @param ready how many to keep ready
   */
  public Children(int ready) {
    this.ready = ready;
  }

  /** Starts what is to be kept ready, without waiting for it. */
  public synchronized void keepReady() {
    while (!closed && idle.size() + starting < ready) {
      starting++;
      Thread thread = new Thread(this::startOne, "preparation-start");
      thread.setDaemon(true);
      thread.start();
    }
  }

  private void startOne() {
    Child started = null;
    try {
      started = started(ChildSize.STANDARD);
    } catch (IOException e) {
      // The next unit starts its own, and fails if that is not possible either.
      LOGGER.atWarn().setCause(e).log("cannot keep a process ready");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    synchronized (this) {
      starting--;
      // Whoever waits goes on when this block ends, and finds it or starts one.
      notifyAll();
      if (started != null && !closed) {
        idle.addLast(started);
        return;
      }
    }
    if (started != null) {
      end(started);
    }
  }

  private static Child started(ChildSize size) throws IOException, InterruptedException {
    Child child = Child.start(size);
    try {
      child.awaitIdle();
      return child;
    } catch (EOFException e) {
      String words = child.lastWords();
      child.end();
      throw new IOException("expected a process for preparations, but it ended with " + words, e);
    } catch (IOException e) {
      child.end();
      throw e;
    }
  }

  /** A process that waits for an order; one that is ready, or else a new one. */
  Child take(ChildSize size) throws IOException, InterruptedException {
    @Nullable Child taken = size.equals(ChildSize.STANDARD) ? takeIdle() : null;
    keepReady();
    return taken == null ? started(size) : taken;
  }

  /** Waits for one that is starting, if it is for nobody else: a second start would delay both. */
  private synchronized @Nullable Child takeIdle() throws InterruptedException {
    while (true) {
      Child child = idle.pollLast();
      if (child != null && child.isAlive()) {
        return child;
      }
      if (child != null) {
        end(child);
      } else if (starting > waiting) {
        waiting++;
        try {
          wait();
        } finally {
          waiting--;
        }
      } else {
        return null;
      }
    }
  }

  /** Takes back a process that has answered its order. */
  void giveBack(Child child) {
    boolean kept =
        child.size().equals(ChildSize.STANDARD)
            && child.meter().residentBytes().orElse(0) <= LARGEST_IDLE_BYTES
            && keep(child);
    if (!kept) {
      end(child);
      keepReady();
    }
  }

  private synchronized boolean keep(Child child) {
    boolean wanted = !closed && idle.size() < Math.max(1, ready);
    if (wanted) {
      idle.addLast(child);
    }
    return wanted;
  }

  /** Ends a process and leaves nothing of it. */
  void end(Child child) {
    try {
      child.end();
    } catch (IOException e) {
      LOGGER.atError().addKeyValue("pid", child.pid()).setCause(e).log("cannot end a process");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Ends those that wait; those at work end with their units. */
  @Override
  public void close() {
    Deque<Child> all;
    synchronized (this) {
      closed = true;
      all = new ArrayDeque<>(idle);
      idle.clear();
    }
    all.forEach(this::end);
  }
}
