package io.turnkeeper.streams;

import io.turnkeeper.events.RecordCodec;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The scheduler of this process. It never decides from stores that are behind their journals. */
public final class Scheduler implements AutoCloseable {
  private static final Logger LOGGER = LoggerFactory.getLogger(Scheduler.class);

  private final SchedulerConfig config;
  private final RebuildMode mode;
  private final RebuildListener listener;
  private final RecordCodec codec = new RecordCodec();
  private SchedulerApp app;
  private boolean closed;

  /** Nothing runs before {@link #start}. */
  public Scheduler(SchedulerConfig config, RebuildMode mode, RebuildListener listener) {
    this.config = config;
    this.mode = mode;
    this.listener = listener;
    this.app = new SchedulerApp(config);
  }

  /** Starts and returns at once; look at {@link #rebuildIfBehind} until it is running. */
  public void start() {
    app().start();
  }

  /**
   * Rebuilds the stores if they are behind their journals, and starts again. Returns at once if
   * there is nothing to rebuild.
   *
   * @return whether it did
   * @throws RebuildRefusedException if they are behind, but may not be rebuilt
   */
  public boolean rebuildIfBehind() throws InterruptedException {
    if (!app().failed()) {
      return false;
    }
    rebuild();
    return true;
  }

  private void rebuild() throws InterruptedException {
    RebuildNeededException behind = app().behind();
    if (behind == null) {
      String refusal = app().refusal();
      throw new IllegalStateException(
          refusal == null ? "the scheduler failed, see the log" : refusal);
    }
    if (mode == RebuildMode.REFUSE) {
      throw new RebuildRefusedException(
          behind.getMessage() + "; start with --rebuild=auto to rebuild it from the journal");
    }
    if (config.sharing().protocol() != Sharing.Protocol.CLASSIC) {
      // The brokers share out one topology for a group, and that of a rebuild is another.
      throw new RebuildRefusedException(
          behind.getMessage() + "; start one instance with group.protocol=classic to rebuild it");
    }
    app().close();
    long before = System.nanoTime();
    new Rebuild(config, codec, listener).run();
    LOGGER.atInfo().log(
        "stores rebuilt in {} ms", Duration.ofNanos(System.nanoTime() - before).toMillis());
    SchedulerApp next = new SchedulerApp(config);
    synchronized (this) {
      if (closed) {
        next.close();
        throw new InterruptedException("stopped while the stores were rebuilt");
      }
      app = next;
    }
    next.start();
  }

  private synchronized SchedulerApp app() {
    return app;
  }

  /** What it was made with. */
  public SchedulerConfig config() {
    return config;
  }

  /** What its stores hold now; to be asked for anew each time, since a rebuild replaces them. */
  public LiveStores stores() {
    return app().stores();
  }

  /** Whether all tasks are running. */
  public boolean running() {
    return app().running();
  }

  /** Whether at least one executor's heartbeat has been folded and it is not lost. */
  public boolean hasExecutor() {
    return app().hasExecutor();
  }

  @Override
  public void close() {
    close(SchedulerApp.STOP_LIMIT);
  }

  /** Stops within {@code limit}; what is not committed is read again at the next start. */
  public void close(Duration limit) {
    SchedulerApp last;
    synchronized (this) {
      closed = true;
      last = app;
    }
    last.close(limit);
  }
}
