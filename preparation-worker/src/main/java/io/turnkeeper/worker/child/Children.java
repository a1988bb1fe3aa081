package io.turnkeeper.worker.child;

import java.io.EOFException;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The processes for preparations; some are kept, so that their start does not show. Who works comes
 * back and counts as one of them: to start another for each that is taken would cost every unit the
 * start of a process that is soon too many.
 */
public final class Children implements AutoCloseable {
  private static final Logger LOGGER = LoggerFactory.getLogger(Children.class);

  /** A process that grew beyond this does not go back: memory that was freed stays with it. */
  private static final long LARGEST_IDLE_BYTES = 320L << 20;

  private final int ready;
  private final Deque<Child> idle = new ArrayDeque<>();
  private final Set<Child> atWork = new HashSet<>();
  private int starting;
  private int waiting;
  private boolean closed;

  /** How much memory processes without work may take when {@code ready} are kept, in bytes. */
  public static long keptBytes(int ready) {
    return mostIdle(ready) * LARGEST_IDLE_BYTES;
  }

  /** One that has worked is kept in any case. */
  private static int mostIdle(int ready) {
    return Math.max(1, ready);
  }

  /**
   * None is started yet.
   *
   * @param ready how many to keep, at work or ready for it
   */
  public Children(int ready) {
    this.ready = ready;
  }

  /** Starts what is to be kept, without waiting for it. */
  public synchronized void keepReady() {
    while (!closed && count() < ready) {
      starting++;
      Thread thread = new Thread(this::startOne, "preparation-start");
      thread.setDaemon(true);
      thread.start();
    }
  }

  /** How many there are, at work, ready or starting; without those of other sizes. */
  synchronized int count() {
    return idle.size() + starting + atWork.size();
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
      String end = child.awaitEnd() + child.lastWords();
      child.end();
      throw new IOException("expected a process for preparations, but it " + end, e);
    } catch (IOException e) {
      child.end();
      throw e;
    }
  }

  /** A process that waits for an order; one that is ready, or else a new one. */
  Child take(ChildSize size) throws IOException, InterruptedException {
    if (!size.equals(ChildSize.STANDARD)) {
      return started(size);
    }
    @Nullable Child taken = takeIdle();
    if (taken != null) {
      return taken;
    }
    Child started = started(size);
    synchronized (this) {
      atWork.add(started);
    }
    return started;
  }

  /** Waits for one that is starting, if it is for nobody else: a second start would delay both. */
  private synchronized @Nullable Child takeIdle() throws InterruptedException {
    while (true) {
      Child child = idle.pollLast();
      if (child != null && child.isAlive()) {
        atWork.add(child);
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
    }
  }

  private synchronized boolean keep(Child child) {
    boolean wanted = !closed && idle.size() < mostIdle(ready);
    if (wanted) {
      atWork.remove(child);
      idle.addLast(child);
      // Whoever waits for one that is starting can have this one.
      notifyAll();
    }
    return wanted;
  }

  /** Ends a process and leaves nothing of it; another may take its place. */
  void end(Child child) {
    synchronized (this) {
      atWork.remove(child);
    }
    try {
      child.end();
    } catch (IOException e) {
      LOGGER.atError().addKeyValue("pid", child.pid()).setCause(e).log("cannot end a process");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    keepReady();
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
