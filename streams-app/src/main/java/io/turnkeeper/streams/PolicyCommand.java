package io.turnkeeper.streams;

import io.turnkeeper.core.TableId;
import io.turnkeeper.core.partition.PartitionState;
import io.turnkeeper.core.policy.PolicyAdvice;
import io.turnkeeper.core.policy.PolicyDocument;
import io.turnkeeper.core.table.PolicyEvent;
import io.turnkeeper.core.table.PolicyEvent.PolicyCleared;
import io.turnkeeper.core.table.PolicyEvent.PolicySet;
import io.turnkeeper.core.table.TableSnapshot;
import io.turnkeeper.events.EventProducer;
import io.turnkeeper.events.RecordCodec;
import io.turnkeeper.events.Topic;
import io.turnkeeper.events.Topics;
import io.turnkeeper.events.policy.PolicyJson;
import io.turnkeeper.streams.cli.FileToRead;
import io.turnkeeper.streams.cli.Words;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code policy}: shows and sets what the scheduler may do with a table. */
@Command(
    name = "policy",
    mixinStandardHelpOptions = true,
    description = "Show and set policies; the table _default stands for all tables.")
public final class PolicyCommand implements Runnable {
  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "expected a command, but there is none");
  }

  @Command(
      mixinStandardHelpOptions = true,
      description = "Prints the JSON Schema of a policy document.")
  void schema() {
    print(PolicyJson.schema());
  }

  @Command(
      mixinStandardHelpOptions = true,
      description = "Checks a policy document and changes nothing.")
  void validate(
      @Parameters(
              paramLabel = "FILE",
              converter = FileToRead.class,
              description = "the policy document, JSON as 'policy schema' describes it")
          Path file)
      throws ConfigException {
    advise(PolicyFile.read(file));
    print(file + " is valid");
  }

  @Command(
      mixinStandardHelpOptions = true,
      description = "Prints what is set for a table itself; the rest is inherited.")
  void get(
      @Parameters(paramLabel = "TABLE", description = "the table, or _default for all tables")
          String table,
      @Mixin KafkaOptions kafka)
      throws ConfigException {
    print(PolicyJson.write(current(table(table), kafka)));
  }

  @Command(
      mixinStandardHelpOptions = true,
      description = "Prints what a policy document would change for a table.")
  void diff(
      @Parameters(paramLabel = "TABLE", description = "the table, or _default for all tables")
          String table,
      @Parameters(
              paramLabel = "FILE",
              converter = FileToRead.class,
              description = "the policy document, JSON as 'policy schema' describes it")
          Path file,
      @Mixin KafkaOptions kafka)
      throws ConfigException {
    List<String> lines =
        PolicyJson.differences(current(table(table), kafka), PolicyFile.read(file));
    print(lines.isEmpty() ? "nothing changes" : String.join(System.lineSeparator(), lines));
  }

  @Command(
      mixinStandardHelpOptions = true,
      description = "Replaces a table's policy by a document.")
  void set(
      @Parameters(paramLabel = "TABLE", description = "the table, or _default for all tables")
          String table,
      @Parameters(
              paramLabel = "FILE",
              converter = FileToRead.class,
              description = "the policy document, JSON as 'policy schema' describes it")
          Path file,
      @Mixin KafkaOptions kafka,
      @Option(
              names = "--author",
              defaultValue = "${sys:user.name}",
              converter = Words.class,
              description = "who decided")
          String author,
      @Option(
              names = "--reason",
              required = true,
              converter = Words.class,
              description = "why, for the journal")
          String reason)
      throws ConfigException, InterruptedException {
    PolicySet event = new PolicySet(table(table), PolicyFile.read(file), author, reason);
    advise(event.document());
    boolean isKnown = known(event.table(), kafka).isPresent();
    send(event, kafka);
    if (!isKnown) {
      print("nothing is known of table " + table + " yet; its policy waits for it");
    }
  }

  @Command(
      mixinStandardHelpOptions = true,
      description = "Removes a table's policy: it inherits everything.")
  void clear(
      @Parameters(paramLabel = "TABLE", description = "the table, or _default for all tables")
          String table,
      @Mixin KafkaOptions kafka,
      @Option(
              names = "--author",
              defaultValue = "${sys:user.name}",
              converter = Words.class,
              description = "who decided")
          String author,
      @Option(
              names = "--reason",
              required = true,
              converter = Words.class,
              description = "why, for the journal")
          String reason)
      throws ConfigException, InterruptedException {
    send(new PolicyCleared(table(table), author, reason), kafka);
  }

  private void send(PolicyEvent event, KafkaOptions kafka)
      throws ConfigException, InterruptedException {
    SchedulerConfig config = kafka.scheduler();
    try (EventProducer producer =
        new EventProducer(config.client(), config.topics(), new RecordCodec(), "/operators")) {
      RecordMetadata sent = producer.publish(event).get();
      print("sent as " + sent.topic() + "-" + sent.partition() + " offset " + sent.offset());
    } catch (ExecutionException e) {
      throw new IllegalStateException("cannot send the policy: " + e.getCause(), e);
    }
  }

  private static PolicyDocument current(TableId table, KafkaOptions kafka) throws ConfigException {
    Optional<PolicyDocument> known = known(table, kafka);
    if (known.isEmpty()) {
      throw ConfigException.noSuchTable(table);
    }
    return known.get();
  }

  private static Optional<PolicyDocument> known(TableId table, KafkaOptions kafka) {
    SchedulerConfig config = kafka.scheduler();
    Topics topics = config.topics();
    boolean isDefault = table.equals(TableId.DEFAULT);
    String key = isDefault ? Nodes.PARTITION_KEY : table.value();
    int partition =
        isDefault ? 0 : Topics.partitionOf(Topics.utf8(key), topics.partitions(Topic.TABLE_STATE));
    Object newest =
        new TableStateReader(config.client(), new RecordCodec())
            .newest(new TopicPartition(topics.name(Topic.TABLE_STATE), partition))
            .get(key);
    if (newest instanceof TableSnapshot snapshot) {
      return Optional.of(snapshot.state().policy());
    }
    if (newest instanceof PartitionState state) {
      return Optional.of(state.defaults());
    }
    return isDefault ? Optional.of(PolicyDocument.EMPTY) : Optional.empty();
  }

  private TableId table(String text) {
    TableId id;
    try {
      id = new TableId(text);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), e.getMessage(), e);
    }
    if (id.isReserved() && !id.equals(TableId.DEFAULT)) {
      throw new ParameterException(
          spec.commandLine(), "expected a table or _default, but " + id + " is a reserved id");
    }
    return id;
  }

  private void advise(PolicyDocument document) {
    PrintWriter err = spec.commandLine().getErr();
    PolicyAdvice.of(document).forEach(doubt -> err.println("turnkeeper: warning: " + doubt));
    err.flush();
  }

  private void print(String text) {
    PrintWriter out = spec.commandLine().getOut();
    out.println(text);
    out.flush();
  }
}
