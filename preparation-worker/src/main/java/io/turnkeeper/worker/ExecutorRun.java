package io.turnkeeper.worker;

import io.turnkeeper.authority.AuthorityUnavailableException;
import io.turnkeeper.authority.Deadline;
import io.turnkeeper.authority.ExecutorSession;
import io.turnkeeper.authority.Lease;
import io.turnkeeper.events.RecordCodec;
import io.turnkeeper.events.Topic;
import io.turnkeeper.events.Topics;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One start of an executor: its registration, its orders, its attempts and its heartbeats. */
final class ExecutorRun {
  /** How a run ends by itself. */
  enum Ending {
    /** A newer process took the executor's name. */
    REPLACED,
    /** The authority does not count it as alive any more, or orders no longer reach it. */
    LOST
  }

  private static final Logger LOGGER = LoggerFactory.getLogger(ExecutorRun.class);
  private static final Duration REGISTRATION = Duration.ofSeconds(20);

  /** How long units that can tell nothing any more have for removing what they prepared. */
  private static final Duration LEAVE_NOTHING = Duration.ofSeconds(1);

  private final ExecutorSession session;
  private final Attempts attempts;
  private final AssignmentFeed feed;
  private final Heartbeats heartbeats;
  private final Reports reports;
  private final CompletableFuture<Ending> ending = new CompletableFuture<>();

  private ExecutorRun(
      ExecutorSession session,
      Attempts attempts,
      AssignmentFeed feed,
      Heartbeats heartbeats,
      Reports reports) {
    this.session = session;
    this.attempts = attempts;
    this.feed = feed;
    this.heartbeats = heartbeats;
    this.reports = reports;
  }

  /** Registers the executor, stands at the end of its orders, and only then announces it. */
  static ExecutorRun start(
      WorkerConfig config, Duration leaseTtl, Equipment equipment, RecordCodec codec)
      throws AuthorityUnavailableException {
    ExecutorSession session =
        equipment
            .authority()
            .registerExecutor(config.executor(), leaseTtl, Deadline.after(REGISTRATION));
    KafkaConsumer<byte[], byte[]> consumer;
    try {
      consumer = consumer(config);
    } catch (RuntimeException e) {
      session.close();
      throw e;
    }
    Attempts attempts = new Attempts(equipment, config.slots());
    AssignmentFeed feed =
        new AssignmentFeed(consumer, codec, config.executor(), session.incarnation(), attempts);
    Heartbeats heartbeats =
        new Heartbeats(config, session.incarnation(), attempts, equipment.reports());
    ExecutorRun run = new ExecutorRun(session, attempts, feed, heartbeats, equipment.reports());
    try {
      run.begin(new Topics(config.topicPrefix()).name(Topic.ASSIGNMENT));
    } catch (RuntimeException e) {
      feed.close();
      run.abandon();
      throw e;
    }
    return run;
  }

  private static KafkaConsumer<byte[], byte[]> consumer(WorkerConfig config) {
    Map<String, Object> settings = config.client();
    settings.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
    settings.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
    settings.put(ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG, 100);
    // What was missed was meant for somebody who waited for it, and is given again.
    settings.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "latest");
    settings.put(ConsumerConfig.KEY_DESERIALIZER_CLASS_CONFIG, ByteArrayDeserializer.class);
    settings.put(ConsumerConfig.VALUE_DESERIALIZER_CLASS_CONFIG, ByteArrayDeserializer.class);
    return new KafkaConsumer<>(settings);
  }

  private void begin(String topic) {
    feed.standAtEnd(topic);
    session
        .lease()
        .lost()
        .thenAccept(
            loss -> ending.complete(loss == Lease.Loss.REPLACED ? Ending.REPLACED : Ending.LOST));
    Thread thread =
        new Thread(
            () -> {
              try {
                feed.run();
              } finally {
                ending.complete(Ending.LOST);
              }
            },
            "assignments");
    thread.setUncaughtExceptionHandler(
        (failed, e) -> LOGGER.atError().setCause(e).log("orders no longer reach the worker"));
    thread.start();
    heartbeats.start();
  }

  /** Completes when the run cannot go on. */
  CompletableFuture<Ending> ending() {
    return ending;
  }

  long incarnation() {
    return session.incarnation();
  }

  /** Stops without a word: what this start did or does counts no longer. */
  void abandon() {
    heartbeats.stop();
    feed.stop();
    attempts.abandon();
    session.close();
  }

  /**
   * Takes nothing new, lets publications finish, gives the rest back, and says good-bye. What is
   * not told within {@code patience} is told no more.
   */
  void drain(Duration patience) throws InterruptedException {
    Deadline deadline = Deadline.after(patience);
    // On a thread of its own: brokers that do not answer hold a report for a minute.
    CompletableFuture<Boolean> goodBye =
        CompletableFuture.supplyAsync(() -> tellAll(deadline), ExecutorRun::onItsOwnThread);
    if (!isTrueBy(goodBye, deadline)) {
      LOGGER
          .atWarn()
          .addKeyValue("units", attempts.liveUnits())
          .log("stopped without telling everything, the scheduler finds out by the silence");
      reports.giveUp();
      attempts.awaitEnd(Deadline.after(LEAVE_NOTHING));
    }
    heartbeats.stop();
    feed.stop();
    session.close();
  }

  private static void onItsOwnThread(Runnable task) {
    Thread thread = new Thread(task, "drain");
    thread.setDaemon(true);
    thread.start();
  }

  private static boolean isTrueBy(CompletableFuture<Boolean> answer, Deadline deadline)
      throws InterruptedException {
    try {
      return answer.get(Math.max(1, deadline.remaining().toMillis()), TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      return false;
    } catch (ExecutionException e) {
      throw new IllegalStateException("expected an answer, but the draining failed", e);
    }
  }

  /** Whether all that ran has ended and everything was told, the good-bye last. */
  private boolean tellAll(Deadline deadline) {
    try {
      attempts.drain();
      heartbeats.beat();
      // Native work cannot be interrupted: as long as its memory is held, nothing is promised.
      if (!attempts.awaitEnd(deadline)) {
        return false;
      }
      feed.stop();
      heartbeats.gone();
      return true;
    } catch (ReportFailedException e) {
      LOGGER.atWarn().setCause(e).log("cannot tell what is given back");
      return false;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }
}
