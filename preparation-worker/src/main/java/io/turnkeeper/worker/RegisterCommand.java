package io.turnkeeper.worker;

import io.turnkeeper.authority.Authority;
import io.turnkeeper.authority.Deadline;
import io.turnkeeper.core.TableId;
import io.turnkeeper.core.table.IndexSpec;
import io.turnkeeper.core.table.MergeMode;
import io.turnkeeper.events.EventProducer;
import io.turnkeeper.events.RecordCodec;
import io.turnkeeper.events.Topics;
import io.turnkeeper.worker.authority.EtcdAuthority;
import io.turnkeeper.worker.fence.RegistrationOutcome;
import io.turnkeeper.worker.work.TableObservation;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.types.pojo.Schema;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code register}: brings a table under maintenance. */
@Command(
    name = "register",
    mixinStandardHelpOptions = true,
    description = "Bring a Lance table under maintenance, creating it if a schema is given.")
public final class RegisterCommand implements Callable<Integer> {
  private static final int BAD_CONFIG = 2;
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  @Spec
  @SuppressWarnings("NullAway.Init")
  private CommandSpec spec;

  @Parameters(paramLabel = "TABLE", description = "The table's id.")
  @SuppressWarnings("NullAway.Init")
  private String table;

  @Option(names = "--uri", required = true, description = "Where the Lance table lies.")
  @SuppressWarnings("NullAway.Init")
  private String uri;

  @Option(names = "--wal", required = true, description = "Where its write-ahead log lies.")
  @SuppressWarnings("NullAway.Init")
  private String wal;

  @Option(
      names = "--schema-from",
      paramLabel = "FILE.arrow",
      converter = FileToRead.class,
      description = "Creates the table with the columns of this Arrow file, unless it exists.")
  private @Nullable Path schemaFrom;

  @Option(
      names = "--index",
      paramLabel = "NAME:COLUMN:TYPE",
      converter = IndexOption.class,
      description = "An index the table should have; TYPE is BTREE or ZONEMAP. Repeatable.")
  private List<IndexSpec> indexes = List.of();

  @Option(
      names = "--key",
      split = ",",
      paramLabel = "COLUMN",
      description = "The key of an upsert; without it, rows of the log are appended.")
  private List<String> keyColumns = List.of();

  @Option(
      names = "--accept-version",
      paramLabel = "N",
      description =
          "Goes on from version N, which somebody committed around the turns (FORKED_HISTORY).")
  private @Nullable Long acceptVersion;

  @Option(names = "--bootstrap-servers", required = true, description = "The Kafka brokers.")
  @SuppressWarnings("NullAway.Init")
  private String bootstrapServers;

  @Mixin private EtcdOptions etcd = new EtcdOptions();

  @Option(
      names = "--topic-prefix",
      defaultValue = Topics.DEFAULT_PREFIX,
      description = "What all topic names begin with (default: ${DEFAULT-VALUE}).")
  private String topicPrefix = Topics.DEFAULT_PREFIX;

  @Override
  public Integer call() throws InterruptedException {
    try (BufferAllocator allocator = new RootAllocator();
        Authority authority = EtcdAuthority.connect(etcd.settings());
        EventProducer producer = producer()) {
      TableRegistrar registrar =
          new TableRegistrar(
              authority,
              allocator,
              new KafkaReports(producer),
              new TableObservation(
                  WorkerConfig.DEFAULT_OBSERVE_TARGET_ROWS,
                  WorkerConfig.DEFAULT_OBSERVE_TARGET_BYTES));
      TableRequest request = request(allocator);
      Optional<RegistrationOutcome.Refused> unsound = TableRegistrar.examine(request);
      if (unsound.isPresent()) {
        return unsound.get().match(new Answers());
      }
      Deadline deadline = Deadline.after(PATIENCE);
      RegistrationOutcome outcome =
          acceptVersion == null
              ? registrar.register(request, deadline)
              : registrar.accept(request, acceptVersion, deadline);
      return outcome.match(new Answers());
    } catch (ConfigException | IllegalArgumentException e) {
      spec.commandLine().getErr().println(e.getMessage());
      return BAD_CONFIG;
    }
  }

  private EventProducer producer() {
    return new EventProducer(
        Map.of(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, bootstrapServers),
        new Topics(topicPrefix),
        new RecordCodec(),
        "/register");
  }

  private TableRequest request(BufferAllocator allocator) {
    Schema schema = schemaFrom == null ? null : ArrowSchemas.of(schemaFrom, allocator);
    return new TableRequest(
        new TableId(table),
        uri,
        wal,
        schema,
        keyColumns,
        keyColumns.isEmpty() ? MergeMode.APPEND : MergeMode.UPSERT,
        indexes);
  }

  private final class Answers implements RegistrationOutcome.Cases<Integer> {
    @Override
    public Integer registered(RegistrationOutcome.Registered outcome) {
      String word = outcome.created() ? "registered " : "was registered before: ";
      spec.commandLine()
          .getOut()
          .println(
              word
                  + table
                  + " at "
                  + outcome.head().uri()
                  + ", version "
                  + outcome.head().version());
      if (!outcome.unsafe().isEmpty()) {
        spec.commandLine()
            .getOut()
            .println("INDEX and COMPACT are refused on it (UNSAFE_TABLE): " + outcome.unsafe());
      }
      return 0;
    }

    @Override
    public Integer refused(RegistrationOutcome.Refused outcome) {
      spec.commandLine().getErr().println(outcome.code() + ": " + outcome.message());
      return 1;
    }
  }
}
