package io.turnkeeper.local.journal;

import static org.assertj.core.api.Assertions.assertThat;

import io.turnkeeper.core.TableId;
import io.turnkeeper.local.Launched;
import io.turnkeeper.local.OnBrokers;
import io.turnkeeper.local.SchedulerOnBroker;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Ends the scheduler without warning under load, again and again, while broker, writers and workers
 * go on. {@code -Dturnkeeper.test.flags=-Dkills=20} ends it twenty times; {@code -Dseed=N} repeats
 * the moments of a run.
 */
@OnBrokers
class SchedulerKilledIT {
  private static final int TABLES = 12;
  private static final int PARTITIONS = 2;
  private static final String INSTANCE = "one";
  private static final int LONGEST_LIFE_MILLIS = 1_500;
  private static final int LONGEST_REBUILD_MILLIS = 400;

  @TempDir Path temp;

  private final long seed = Long.getLong("seed", System.nanoTime());
  private final Random random = new Random(seed);

  @Test
  void nothingIsLostOrDoubledHoweverOftenItIsKilled() throws Exception {
    int kills = Integer.getInteger("kills", 1);
    try (SchedulerOnBroker broker = new SchedulerOnBroker(temp, PARTITIONS);
        Load load = new Load(broker, TABLES)) {
      Served served = new Served(broker, temp);
      load.start();
      for (int kill = 0; kill < kills; kill++) {
        try (Launched scheduler = served.start(INSTANCE)) {
          served.awaitProgress();
          Thread.sleep(random.nextInt(LONGEST_LIFE_MILLIS));
          scheduler.kill();
        }
        served.prove("kill " + kill + " of seed " + seed);
      }
      killedWhileItRebuilds(broker, served);
      try (Launched scheduler = served.start(INSTANCE)) {
        load.finish();
        assertThat(scheduler.stop()).isLessThan(Duration.ofSeconds(10));
      }
      served.prove("the end of seed " + seed);
      new Oracle(broker).agreesWithTheScheduler();
    }
  }

  /** The stores are gone; the rebuild is ended in its middle and begun anew by the next start. */
  private void killedWhileItRebuilds(SchedulerOnBroker broker, Served served) throws Exception {
    broker.deleteStores();
    try (Launched scheduler = served.launch(INSTANCE)) {
      scheduler.awaitSaid("rebuild", Duration.ofSeconds(90));
      Thread.sleep(random.nextInt(LONGEST_REBUILD_MILLIS));
      scheduler.kill();
    }
  }

  static TableId table(int number) {
    return new TableId("table-" + number);
  }
}
