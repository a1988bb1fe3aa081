package io.turnkeeper.streams.audit;

import io.turnkeeper.core.TableId;
import io.turnkeeper.events.AuditReader;
import io.turnkeeper.events.InvalidRecordException;
import io.turnkeeper.events.JournalStep;
import io.turnkeeper.events.RecordCodec;
import io.turnkeeper.events.StepJson;
import io.turnkeeper.streams.ConfigException;
import io.turnkeeper.streams.KafkaOptions;
import io.turnkeeper.streams.OutputForm;
import io.turnkeeper.streams.SchedulerConfig;
import io.turnkeeper.streams.cli.SequenceOrTime;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Prints what happened to a table and what was decided, in order. */
@Command(
    name = "journal",
    mixinStandardHelpOptions = true,
    description = {
      "Print what happened to a table, in order, and why.",
      "Each entry of its journal with the decisions that followed and their reasons."
    },
    subcommands = ExportCommand.class)
public final class JournalCommand implements Callable<Integer> {
  @Spec private CommandSpec spec = CommandSpec.create();

  @Mixin private KafkaOptions kafka = new KafkaOptions();

  @Parameters(arity = "0..1", paramLabel = "TABLE", description = "the table")
  private @Nullable String table;

  @Option(names = "--follow", description = "go on with what comes, until interrupted")
  private boolean follow;

  @Option(
      names = "--since",
      paramLabel = "SEQ|TIME",
      converter = SequenceOrTime.Converter.class,
      description = "begin with that entry, or at that time, like 2026-01-31T12:00:00Z")
  private @Nullable SequenceOrTime since;

  @Option(
      names = "--output",
      defaultValue = "table",
      paramLabel = "FORM",
      description = "table for people, json for one object a line (default: ${DEFAULT-VALUE})")
  private OutputForm output = OutputForm.TABLE;

  @Override
  public Integer call() throws InvalidRecordException, ConfigException {
    TableId id = table();
    Predicate<JournalStep> wanted = wanted();
    RecordCodec codec = new RecordCodec();
    StepJson json = new StepJson(codec);
    StepText text = new StepText(json);
    PrintWriter out = spec.commandLine().getOut();
    SchedulerConfig config = kafka.scheduler();
    boolean[] known = new boolean[1];
    try (AuditReader reader = new AuditReader(config.client(), config.topics(), codec)) {
      reader.follow(
          id,
          step -> {
            known[0] = true;
            if (wanted.test(step)) {
              JournalStep own = step.only(id);
              out.println(output == OutputForm.JSON ? json.shown(own).toString() : text.of(own));
              out.flush();
            }
          },
          () -> !follow || Thread.currentThread().isInterrupted() || out.checkError());
    }
    if (!known[0]) {
      throw ConfigException.noSuchTable(id);
    }
    return 0;
  }

  private TableId table() {
    if (table == null) {
      throw new ParameterException(spec.commandLine(), "expected a table, but there is none");
    }
    try {
      return new TableId(table);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), e.getMessage(), e);
    }
  }

  private Predicate<JournalStep> wanted() {
    Long sequence = since == null ? null : since.sequence();
    Long millis = since == null ? null : since.millis();
    return step ->
        (sequence == null || step.entry().sequence() >= sequence)
            && (millis == null || step.entry().atMillis() >= millis);
  }
}
