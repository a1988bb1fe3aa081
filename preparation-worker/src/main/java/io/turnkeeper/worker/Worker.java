package io.turnkeeper.worker;

import io.turnkeeper.authority.Authority;
import io.turnkeeper.authority.AuthorityUnavailableException;
import io.turnkeeper.events.EventProducer;
import io.turnkeeper.events.RecordCodec;
import io.turnkeeper.events.Topics;
import io.turnkeeper.worker.authority.EtcdAuthority;
import io.turnkeeper.worker.child.ChildWork;
import io.turnkeeper.worker.child.Children;
import io.turnkeeper.worker.work.TableObservation;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.arrow.memory.RootAllocator;
import org.apache.kafka.common.KafkaException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A worker process: runs the units it is assigned until it is closed. When the authority or its
 * orders lose it, it drops what it runs and starts anew under a higher incarnation.
 */
public final class Worker implements AutoCloseable {
  private static final Logger LOGGER = LoggerFactory.getLogger(Worker.class);

  /** How long the authority counts a worker as alive that it hears no more of. */
  private static final Duration LEASE_TTL = Duration.ofSeconds(30);

  private static final Duration DRAIN = Duration.ofSeconds(7);
  private static final Duration PAUSE = Duration.ofSeconds(1);

  private final WorkerConfig config;
  private final Duration leaseTtl;
  private final Duration drain;
  private final StepListener steps;
  private final CompletableFuture<@Nullable Void> stopping = new CompletableFuture<>();
  private final CompletableFuture<@Nullable Void> ended = new CompletableFuture<>();
  private @Nullable Thread supervisor;

  public Worker(WorkerConfig config) {
    this(config, CrashSwitch.fromSystemProperty());
  }

  /**
   * A worker whose every step is heard.
   *
   * @param steps told of each step of each unit before the next one begins
   */
  public Worker(WorkerConfig config, StepListener steps) {
    this(config, LEASE_TTL, DRAIN, steps);
  }

  Worker(WorkerConfig config, Duration leaseTtl, Duration drain, StepListener steps) {
    this.config = config;
    this.leaseTtl = leaseTtl;
    this.drain = drain;
    this.steps = steps;
  }

  /** Connects and announces itself; units may be running when this returns. */
  public synchronized void start() throws AuthorityUnavailableException {
    if (supervisor != null) {
      throw new IllegalStateException("expected a worker that was never started");
    }
    RecordCodec codec = new RecordCodec();
    Authority authority = EtcdAuthority.connect(config.etcd());
    EventProducer producer = producer(codec);
    RootAllocator allocator = new RootAllocator();
    Children children = new Children(config.readyChildren());
    Equipment equipment =
        new Equipment(
            authority,
            new KafkaReports(producer),
            new MemoryBudget(allocator, config.bytesForUnits()),
            new ChildWork(children, codec),
            new TableObservation(config.observeTargetRows(), config.observeTargetBytes()),
            steps);
    AutoCloseable connections = () -> close(authority, producer, children, allocator);
    ExecutorRun first;
    try {
      first = ExecutorRun.start(config, leaseTtl, equipment, codec);
    } catch (AuthorityUnavailableException | RuntimeException e) {
      close(authority, producer, children, allocator);
      throw e;
    }
    children.keepReady();
    supervisor =
        new Thread(() -> supervise(first, equipment, codec, connections), "worker-supervisor");
    supervisor.start();
  }

  private EventProducer producer(RecordCodec codec) {
    return new EventProducer(
        config.client(), new Topics(config.topicPrefix()), codec, "/workers/" + config.executor());
  }

  private void supervise(
      ExecutorRun first, Equipment equipment, RecordCodec codec, AutoCloseable connections) {
    try (connections) {
      @Nullable ExecutorRun run = first;
      while (run != null) {
        run = afterwards(run, equipment, codec);
      }
      ended.complete(null);
    } catch (Exception e) {
      ended.completeExceptionally(e);
      LOGGER.atError().addKeyValue("executor", config.executor()).setCause(e).log("worker ended");
    }
  }

  /** Waits for the end of {@code run} and answers the next one, or null if there is to be none. */
  private @Nullable ExecutorRun afterwards(ExecutorRun run, Equipment equipment, RecordCodec codec)
      throws InterruptedException {
    CompletableFuture.anyOf(stopping, run.ending()).join();
    if (stopping.isDone()) {
      run.drain(drain);
      return null;
    }
    run.abandon();
    if (run.ending().join() == ExecutorRun.Ending.REPLACED) {
      throw new IllegalStateException(
          "expected to be the only process named '"
              + config.executor()
              + "', but a newer one registered under that name");
    }
    LOGGER.atWarn().addKeyValue("executor", config.executor()).log("lost; starting anew");
    return startAgain(equipment, codec);
  }

  private @Nullable ExecutorRun startAgain(Equipment equipment, RecordCodec codec)
      throws InterruptedException {
    while (!stopping.isDone()) {
      try {
        return ExecutorRun.start(config, leaseTtl, equipment, codec);
      } catch (AuthorityUnavailableException | KafkaException | ConfigException e) {
        // Brokers that come back may not know their topics at once.
        LOGGER.atWarn().addKeyValue("reason", e.getMessage()).log("cannot register yet");
        pause();
      }
    }
    return null;
  }

  private void pause() throws InterruptedException {
    try {
      stopping.copy().orTimeout(PAUSE.toMillis(), TimeUnit.MILLISECONDS).get();
    } catch (ExecutionException e) {
      // The pause is over and nobody asked to stop.
      return;
    }
  }

  /**
   * Waits until the worker was closed.
   *
   * @throws IllegalStateException if the worker cannot go on
   */
  public void awaitEnd() throws InterruptedException {
    boolean isClosed = false;
    while (!isClosed) {
      isClosed = awaitEnd(PAUSE);
    }
  }

  /**
   * Waits at most {@code limit} for the worker to be closed, and answers whether it was.
   *
   * @throws IllegalStateException if the worker cannot go on
   */
  public boolean awaitEnd(Duration limit) throws InterruptedException {
    try {
      ended.get(limit.toMillis(), TimeUnit.MILLISECONDS);
      return true;
    } catch (TimeoutException e) {
      return false;
    } catch (ExecutionException e) {
      throw new IllegalStateException("the worker ended: " + e.getMessage(), e);
    }
  }

  /** Drains: publications finish, everything else is given back. */
  @Override
  public synchronized void close() {
    Thread running = supervisor;
    stopping.complete(null);
    try {
      if (running != null) {
        running.join();
      }
    } catch (InterruptedException e) {
      // Whoever closes will not wait; draining goes on.
      Thread.currentThread().interrupt();
    }
  }

  private static void close(
      Authority authority, EventProducer producer, Children children, RootAllocator allocator) {
    children.close();
    producer.close();
    authority.close();
    try {
      allocator.close();
    } catch (IllegalStateException e) {
      // Units that native code still works for hold memory; the process is about to end.
      LOGGER.atWarn().addKeyValue("reason", e.getMessage()).log("memory is still held");
    }
  }
}
