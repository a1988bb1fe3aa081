package io.turnkeeper.local.journal;

import static org.assertj.core.api.Assertions.assertThat;

import io.turnkeeper.core.TableId;
import io.turnkeeper.events.AuditReader;
import io.turnkeeper.local.Launched;
import io.turnkeeper.local.SchedulerOnBroker;
import io.turnkeeper.streams.audit.CheckCommand;
import io.turnkeeper.streams.audit.ReplayCommand;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/**
 * Ends the scheduler without warning under load, again and again, while broker, writers and workers
 * go on. {@code -Dturnkeeper.test.flags=-Dkills=20} ends it twenty times; {@code -Dseed=N} repeats
 * the moments of a run.
 */
class SchedulerKilledIT {
  private static final int TABLES = 12;
  private static final int PARTITIONS = 2;
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
      load.start();
      for (int kill = 0; kill < kills; kill++) {
        try (Launched scheduler = serve(broker)) {
          awaitStarted(scheduler);
          awaitProgress(broker);
          Thread.sleep(random.nextInt(LONGEST_LIFE_MILLIS));
          scheduler.kill();
        }
        verify(broker, "kill " + kill + " of seed " + seed);
      }
      killedWhileItRebuilds(broker);
      try (Launched scheduler = serve(broker)) {
        awaitStarted(scheduler);
        load.stopWriting();
        Oracle oracle = new Oracle(broker);
        SchedulerOnBroker.await(
            "everything merged and folded", () -> oracle.unmerged().isEmpty() && oracle.isFolded());
        load.requireSound();
        assertThat(scheduler.stop()).isLessThan(Duration.ofSeconds(10));
      }
      verify(broker, "the end of seed " + seed);
      new Oracle(broker).agreesWithTheScheduler();
    }
  }

  /** The stores are gone; the rebuild is ended in its middle and begun anew by the next start. */
  private void killedWhileItRebuilds(SchedulerOnBroker broker) throws Exception {
    broker.deleteStateDir();
    broker.admin.deleteTopics(List.of("test-tables-changelog", "test-pools-changelog")).all().get();
    try (Launched scheduler = serve(broker)) {
      SchedulerOnBroker.await("a rebuild", () -> says(scheduler, "rebuild"));
      Thread.sleep(random.nextInt(LONGEST_REBUILD_MILLIS));
      scheduler.kill();
    }
  }

  private Launched serve(SchedulerOnBroker broker) throws Exception {
    String patience = Long.toString(Duration.ofHours(1).toMillis());
    Path config =
        Files.write(
            temp.resolve("scheduler.properties"),
            List.of(
                "bootstrap.servers=" + broker.bootstrap(),
                "topic.prefix=" + broker.topics.prefix(),
                "table.partitions=" + PARTITIONS,
                "application.id=test",
                "instance.id=test-1",
                "state.dir=" + broker.stateDir(),
                // The workers of this test are never late; only the scheduler is away.
                "claim.timeout.ms=" + patience,
                "take.timeout.ms=" + patience,
                "executor.timeout.ms=" + patience,
                // Often late enough to be probed, so that the scheduler writes inputs as well.
                "cancel.timeout.ms=1"));
    return Launched.start(
        temp, "", "--log-dir=" + temp.resolve("logs"), "serve", "--config=" + config);
  }

  private static void awaitStarted(Launched scheduler) throws Exception {
    SchedulerOnBroker.await("the scheduler", () -> says(scheduler, "scheduler started"));
  }

  private static boolean says(Launched scheduler, String text) {
    try {
      return scheduler.output().contains(text);
    } catch (java.io.IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  private static void awaitProgress(SchedulerOnBroker broker) throws Exception {
    int before = broker.history().size();
    SchedulerOnBroker.await(
        "the journal to go on",
        () -> {
          try {
            return broker.history().size() > before;
          } catch (Exception e) {
            throw new AssertionError(e);
          }
        });
  }

  /** The journals have no gap and no step twice, and say the same as the stores. */
  private static void verify(SchedulerOnBroker broker, String when) throws Exception {
    try (AuditReader reader = new AuditReader(broker.client(), broker.topics, broker.codec)) {
      JournalOrder tables = new JournalOrder(when + ", tables");
      reader.tables(tables);
      tables.requireAllInputs(broker);
      JournalOrder pools = new JournalOrder(when + ", pools");
      reader.pools(pools);
      pools.requireAllInputs(broker);
    }
    assertThat(run(new ReplayCommand(), broker)).as(when).contains("all equal");
    assertThat(run(new CheckCommand(), broker)).as(when).contains("all hold");
  }

  private static String run(Object command, SchedulerOnBroker broker) {
    StringWriter out = new StringWriter();
    PrintWriter both = new PrintWriter(out);
    int code =
        new CommandLine(command)
            .setOut(both)
            .setErr(both)
            .execute(
                "--bootstrap-servers=" + broker.bootstrap(),
                "--prefix=" + broker.topics.prefix(),
                "--application-id=test");
    assertThat(code).as(out.toString()).isZero();
    return out.toString();
  }

  static TableId table(int number) {
    return new TableId("table-" + number);
  }
}
