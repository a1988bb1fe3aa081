package io.turnkeeper.streams.audit;

import io.turnkeeper.core.TableId;
import io.turnkeeper.core.policy.PolicyDocument;
import io.turnkeeper.events.RecordCodec;
import io.turnkeeper.streams.History;
import io.turnkeeper.streams.OutputForm;
import io.turnkeeper.streams.PolicyFile;
import io.turnkeeper.streams.backtest.Backtest;
import io.turnkeeper.streams.backtest.BacktestOptions;
import io.turnkeeper.streams.backtest.BacktestReport;
import io.turnkeeper.streams.backtest.BacktestText;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Runs history under another policy and shows both outcomes. */
@Command(
    name = "backtest",
    mixinStandardHelpOptions = true,
    description = {
      "Run history under another policy, and compare with what really happened.",
      "Demand and observations come as recorded and the scheduler's own rules decide; executors are",
      "simulated with the capacities and durations that history shows. Changes nothing."
    })
public final class BacktestCommand implements Callable<Integer> {
  @Spec private CommandSpec spec = CommandSpec.create();

  @Mixin private HistoryOptions source = new HistoryOptions();

  @Option(
      names = "--policy",
      paramLabel = "FILE",
      required = true,
      description = "the policy document, as 'policy set' takes it")
  private Path policy = Path.of("");

  @Option(
      names = "--table",
      paramLabel = "T",
      defaultValue = "_default",
      description = "whose policy it replaces (default: ${DEFAULT-VALUE})")
  private String table = "_default";

  @Option(
      names = "--from",
      paramLabel = "TIME",
      description = "when it begins to hold; what was before is taken as it happened")
  private @Nullable String from;

  @Option(
      names = "--until",
      paramLabel = "TIME",
      description = "where to stop, like 2026-01-31T12:00:00Z")
  private @Nullable String until;

  @Option(
      names = "--output",
      defaultValue = "table",
      paramLabel = "FORM",
      description = "table for people, json for programs (default: ${DEFAULT-VALUE})")
  private OutputForm output = OutputForm.TABLE;

  @Override
  public Integer call() throws Exception {
    PolicyDocument document = PolicyFile.read(policy);
    BacktestOptions options =
        new BacktestOptions(document, replaced(), millis("--from", from), millis("--until", until));
    PrintWriter out = spec.commandLine().getOut();
    try (History history = source.open(new RecordCodec(), null)) {
      Backtest backtest = Backtest.of(history, options);
      if (output == OutputForm.JSON) {
        out.println(new BacktestReport(backtest).json());
      } else {
        new BacktestText(backtest).lines().forEach(out::println);
      }
    }
    out.flush();
    return 0;
  }

  private TableId replaced() {
    try {
      return table.equals(TableId.DEFAULT.value()) ? TableId.DEFAULT : new TableId(table);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), e.getMessage(), e);
    }
  }

  private @Nullable Long millis(String name, @Nullable String time) {
    try {
      return time == null ? null : Instant.parse(time).toEpochMilli();
    } catch (DateTimeException e) {
      throw new ParameterException(
          spec.commandLine(),
          "expected " + name + " to be a time like 2026-01-31T12:00:00Z, but it is " + time,
          e);
    }
  }
}
