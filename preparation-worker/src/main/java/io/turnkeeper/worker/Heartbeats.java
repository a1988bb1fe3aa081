package io.turnkeeper.worker;

import io.turnkeeper.core.pool.ExecutorEvent.ExecutorGone;
import io.turnkeeper.core.pool.ExecutorEvent.ExecutorHeartbeat;
import java.time.Duration;
import java.util.Collections;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tells every two seconds that one start of an executor is alive, and what it holds. */
final class Heartbeats {
  private static final Logger LOGGER = LoggerFactory.getLogger(Heartbeats.class);
  private static final Duration PERIOD = Duration.ofSeconds(2);

  private final WorkerConfig config;
  private final long incarnation;
  private final Attempts attempts;
  private final Reports reports;
  private final String version;
  private final CountDownLatch stopped = new CountDownLatch(1);

  Heartbeats(WorkerConfig config, long incarnation, Attempts attempts, Reports reports) {
    this.config = config;
    this.incarnation = incarnation;
    this.attempts = attempts;
    this.reports = reports;
    String implementation = Heartbeats.class.getPackage().getImplementationVersion();
    this.version = implementation == null ? "development" : implementation;
  }

  void start() {
    Thread thread = new Thread(this::beatUntilStopped, "heartbeats");
    thread.setDaemon(true);
    thread.start();
  }

  private void beatUntilStopped() {
    try {
      do {
        beat();
      } while (!stopped.await(PERIOD.toMillis(), TimeUnit.MILLISECONDS));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Tells at once, for example that the executor drains. */
  void beat() {
    try {
      reports.send(
          new ExecutorHeartbeat(
              config.pool(),
              config.executor(),
              incarnation,
              config.slots(),
              config.bytesForUnits(),
              attempts.isDraining(),
              version,
              Collections.unmodifiableSortedMap(new TreeMap<>()),
              attempts.liveUnits()));
    } catch (ReportFailedException e) {
      // The next one says the same; if none comes through, the silence says it.
      LOGGER.atWarn().addKeyValue("executor", config.executor()).setCause(e).log("no heartbeat");
    }
  }

  void stop() {
    stopped.countDown();
  }

  /** Tells that the executor holds nothing and comes no more; the last word. */
  void gone() {
    stop();
    reports.send(new ExecutorGone(config.pool(), config.executor(), incarnation));
  }
}
