package io.turnkeeper.local.journal;

import static org.assertj.core.api.Assertions.assertThat;

import io.turnkeeper.events.Topic;
import io.turnkeeper.local.BrokerProcesses;
import io.turnkeeper.local.Launched;
import io.turnkeeper.local.SchedulerOnBroker;
import java.nio.file.Path;
import java.time.Duration;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/** Ends brokers without warning under load, while scheduler, writers and workers go on. */
@EnabledIfSystemProperty(named = "faults", matches = "all", disabledReason = "needs -Dfaults=all")
class BrokerKilledIT {
  private static final int PARTITIONS = 4;
  private static final int TABLES = 12;
  private static final Duration RESUMED_WITHIN = Duration.ofSeconds(10);
  private static final String INSTANCE = "one";

  @TempDir Path temp;

  @Test
  void nothingIsLostOrDoubledWhenTheOnlyBrokerIsKilledAndStartedAgain() throws Exception {
    BrokerProcesses brokers = BrokerProcesses.start(temp.resolve("brokers"), 1);
    try (SchedulerOnBroker broker = new SchedulerOnBroker(temp, brokers, PARTITIONS);
        Load load = new Load(broker, TABLES)) {
      Served served = new Served(broker, temp);
      load.start();
      try (Launched scheduler = served.start(INSTANCE)) {
        for (int kill = 1; kill <= Integer.getInteger("kills", 2); kill++) {
          served.awaitProgress();
          brokers.kill(1);
          brokers.restart(1);
          served.awaitProgress();
        }
        load.finish();
        assertThat(scheduler.stop()).isLessThan(Duration.ofSeconds(10));
      }
      served.prove("after the broker was killed");
      new Oracle(broker).agreesWithTheScheduler();
    }
  }

  @Test
  void serviceResumesWithinTenSecondsWhenTheLeaderOfThreeBrokersIsKilled() throws Exception {
    BrokerProcesses brokers = BrokerProcesses.start(temp.resolve("brokers"), 3);
    try (SchedulerOnBroker broker = new SchedulerOnBroker(temp, brokers, PARTITIONS);
        Load load = new Load(broker, TABLES)) {
      Served served = new Served(broker, temp);
      load.start();
      try (Launched scheduler = served.start(INSTANCE)) {
        served.awaitProgress();
        int ofJournal = broker.leader(new TopicPartition(broker.topics.name(Topic.JOURNAL), 0));
        requireResumed(brokers, ofJournal, served);
        brokers.restart(ofJournal);
        SchedulerOnBroker.await("all copies to be in step", broker::isReplicated);
        requireResumed(brokers, broker.controller(), served);
        load.finish();
        assertThat(scheduler.stop()).isLessThan(Duration.ofSeconds(10));
      }
      served.prove("after leaders were killed");
      new Oracle(broker).agreesWithTheScheduler();
    }
  }

  private static void requireResumed(BrokerProcesses brokers, int id, Served served)
      throws Exception {
    brokers.kill(id);
    assertThat(served.awaitProgress()).as("broker %s was killed", id).isLessThan(RESUMED_WITHIN);
  }
}
