package io.turnkeeper.streams;

import io.turnkeeper.core.TableId;
import io.turnkeeper.core.partition.PartitionState;
import io.turnkeeper.core.policy.PolicyAdvice;
import io.turnkeeper.core.policy.PolicyDocument;
import io.turnkeeper.core.table.PolicyEvent.PolicyCleared;
import io.turnkeeper.core.table.PolicyEvent.PolicySet;
import io.turnkeeper.events.policy.PolicyJson;
import io.turnkeeper.streams.cli.Accountable;
import io.turnkeeper.streams.cli.FileToRead;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
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
      @Mixin Accountable by)
      throws ConfigException, InterruptedException {
    PolicySet event = new PolicySet(table(table), PolicyFile.read(file), by.author(), by.reason());
    advise(event.document());
    boolean isKnown = known(event.table(), kafka).isPresent();
    print(OperatorEvents.by(kafka).send(event));
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
      @Mixin Accountable by)
      throws ConfigException, InterruptedException {
    PolicyCleared event = new PolicyCleared(table(table), by.author(), by.reason());
    print(OperatorEvents.by(kafka).send(event));
  }

  private static PolicyDocument current(TableId table, KafkaOptions kafka) throws ConfigException {
    Optional<PolicyDocument> known = known(table, kafka);
    if (known.isEmpty()) {
      throw ConfigException.noSuchTable(table);
    }
    return known.get();
  }

  private static Optional<PolicyDocument> known(TableId table, KafkaOptions kafka) {
    OperatorEvents events = OperatorEvents.by(kafka);
    if (!table.equals(TableId.DEFAULT)) {
      return events.known(table).map(snapshot -> snapshot.state().policy());
    }
    return events.shown(Nodes.PARTITION_KEY, 0) instanceof PartitionState state
        ? Optional.of(state.defaults())
        : Optional.of(PolicyDocument.EMPTY);
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
