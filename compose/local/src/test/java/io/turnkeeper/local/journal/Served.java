package io.turnkeeper.local.journal;

import static org.assertj.core.api.Assertions.assertThat;

import io.turnkeeper.events.AuditReader;
import io.turnkeeper.events.Topic;
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
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.ListOffsetsOptions;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.TopicPartition;
import picocli.CommandLine;

/** The built scheduler on a test's broker, in processes of its own, and what its journal proves. */
final class Served {
  private static final Duration LIMIT = Duration.ofMinutes(3);

  private final SchedulerOnBroker broker;
  private final Path folder;

  Served(SchedulerOnBroker broker, Path folder) {
    this.broker = broker;
    this.folder = folder;
  }

  /** Starts an instance and waits until it runs. */
  Launched start(String instance) throws Exception {
    Launched scheduler = launch(instance);
    try {
      scheduler.awaitSaid("scheduler started", LIMIT);
      return scheduler;
    } catch (Exception | AssertionError e) {
      scheduler.close();
      throw e;
    }
  }

  /** Starts an instance. */
  Launched launch(String instance) throws Exception {
    String patience = Long.toString(Duration.ofHours(1).toMillis());
    Path config =
        Files.write(
            folder.resolve(instance + ".properties"),
            List.of(
                "bootstrap.servers=" + broker.bootstrap(),
                "topic.prefix=" + broker.topics.prefix(),
                "table.partitions=" + broker.topics.tablePartitions(),
                "application.id=" + broker.application(),
                "instance.id=" + instance,
                "state.dir=" + broker.stateDir().resolve(instance),
                "replication.factor=" + broker.replication(),
                "read.listen=127.0.0.1:0",
                // The workers of these tests are never late; only the scheduler is away.
                "claim.timeout.ms=" + patience,
                "take.timeout.ms=" + patience,
                "executor.timeout.ms=" + patience,
                // Often late enough to be probed, so that the scheduler writes inputs as well.
                "cancel.timeout.ms=1"));
    return Launched.start(
        folder,
        "",
        "--log-dir=" + folder.resolve("logs-" + instance),
        "serve",
        "--config=" + config);
  }

  /** Where each table journal ends, for readers that see committed records or for all. */
  Map<TopicPartition, Long> journalEnds(IsolationLevel isolation) throws Exception {
    String journal = broker.topics.name(Topic.JOURNAL);
    Map<TopicPartition, OffsetSpec> latest =
        IntStream.range(0, broker.topics.tablePartitions())
            .mapToObj(partition -> new TopicPartition(journal, partition))
            .collect(Collectors.toMap(Function.identity(), partition -> OffsetSpec.latest()));
    return broker
        .admin
        .listOffsets(latest, new ListOffsetsOptions(isolation))
        .all()
        .get()
        .entrySet()
        .stream()
        .collect(Collectors.toMap(Map.Entry::getKey, end -> end.getValue().offset()));
  }

  /** Waits until every table journal goes on, and answers how long that took. */
  Duration awaitProgress() throws Exception {
    long start = System.nanoTime();
    Map<TopicPartition, Long> before = journalEnds(IsolationLevel.READ_UNCOMMITTED);
    SchedulerOnBroker.await(
        "every journal to go on",
        () -> {
          try {
            return journalEnds(IsolationLevel.READ_COMMITTED).entrySet().stream()
                .allMatch(end -> end.getValue() > before.get(end.getKey()));
          } catch (Exception e) {
            throw new AssertionError(e);
          }
        });
    return Duration.ofNanos(System.nanoTime() - start);
  }

  /** The journals have no gap and no step twice, and say the same as the stores. */
  void prove(String when) throws Exception {
    try (AuditReader reader = new AuditReader(broker.client(), broker.topics, broker.codec)) {
      JournalOrder tables = new JournalOrder(when + ", tables");
      reader.tables(tables);
      tables.requireAllInputs(broker);
      JournalOrder pools = new JournalOrder(when + ", pools");
      reader.pools(pools);
      pools.requireAllInputs(broker);
    }
    assertThat(run(new ReplayCommand())).as(when).contains("all equal");
    assertThat(run(new CheckCommand())).as(when).contains("all hold");
  }

  private String run(Object command) {
    StringWriter out = new StringWriter();
    PrintWriter both = new PrintWriter(out);
    int code =
        new CommandLine(command)
            .setCaseInsensitiveEnumValuesAllowed(true)
            .setOut(both)
            .setErr(both)
            .execute(broker.where());
    assertThat(code).as(out.toString()).isZero();
    return out.toString();
  }
}
