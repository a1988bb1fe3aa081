package io.turnkeeper.local.journal;

import static org.assertj.core.api.Assertions.assertThat;

import io.turnkeeper.local.Launched;
import io.turnkeeper.local.OnBrokers;
import io.turnkeeper.local.SchedulerOnBroker;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/** Two instances share the tables; one stands still past its session and wakes up again. */
@EnabledIfSystemProperty(named = "faults", matches = "all", disabledReason = "needs -Dfaults=all")
@OnBrokers
class PausedInstanceIT {
  private static final int PARTITIONS = 4;
  private static final int TABLES = 12;
  private static final Duration LIMIT = Duration.ofSeconds(90);

  /** The other instance's transactions end much sooner. */
  private static final Duration OPEN_FOR = Duration.ofSeconds(1);

  private static final int LONGEST_WAY_MILLIS = 50;

  @Test
  void whatAnInstanceWritesThatWasPausedPastItsSessionIsFenced(@TempDir Path temp)
      throws Exception {
    try (SchedulerOnBroker broker = new SchedulerOnBroker(temp, PARTITIONS);
        Load load = new Load(broker, TABLES)) {
      Served served = new Served(broker, temp);
      load.start();
      try (Launched paused = served.start("paused");
          Launched other = served.start("other")) {
        SchedulerOnBroker.await("both to have tables", () -> broker.instances() == 2);
        served.awaitProgress();
        freezeWithAnOpenTransaction(paused, served);
        SchedulerOnBroker.await("the other to be alone", () -> broker.instances() == 1);
        served.awaitProgress();

        paused.thaw();
        SchedulerOnBroker.await("both to have tables again", () -> broker.instances() == 2);
        served.awaitProgress();
        load.finish();
        assertThat(paused.stop()).isLessThan(Duration.ofSeconds(10));
        assertThat(other.stop()).isLessThan(Duration.ofSeconds(10));
      }
      served.prove("after a pause");
      new Oracle(broker).agreesWithTheScheduler();
    }
  }

  /** Whether it is in the middle of one is luck, so it is tried until it was. */
  private static void freezeWithAnOpenTransaction(Launched instance, Served served)
      throws Exception {
    long deadline = System.nanoTime() + LIMIT.toNanos();
    instance.freeze();
    while (!isAnyJournalUndecided(served)) {
      if (System.nanoTime() > deadline) {
        throw new AssertionError("expected to meet an open transaction within " + LIMIT);
      }
      instance.thaw();
      Thread.sleep(ThreadLocalRandom.current().nextInt(LONGEST_WAY_MILLIS));
      instance.freeze();
    }
  }

  /** Whether some journal stays undecided at one place for longer than the other leaves any. */
  private static boolean isAnyJournalUndecided(Served served) throws Exception {
    Map<TopicPartition, Long> undecided = undecided(served);
    long until = System.nanoTime() + OPEN_FOR.toNanos();
    while (!undecided.isEmpty() && System.nanoTime() < until) {
      undecided.entrySet().retainAll(undecided(served).entrySet());
    }
    return !undecided.isEmpty();
  }

  private static Map<TopicPartition, Long> undecided(Served served) throws Exception {
    Map<TopicPartition, Long> decided = served.journalEnds(IsolationLevel.READ_COMMITTED);
    Map<TopicPartition, Long> written = served.journalEnds(IsolationLevel.READ_UNCOMMITTED);
    decided.entrySet().removeIf(end -> end.getValue() >= written.get(end.getKey()));
    return decided;
  }
}
