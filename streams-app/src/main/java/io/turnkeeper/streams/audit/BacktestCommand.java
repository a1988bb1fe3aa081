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
import io.turnkeeper.streams.cli.FileToRead;
import io.turnkeeper.streams.cli.Time;
import java.io.PrintWriter;
import java.nio.file.Path;
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
      "Demand and observations come as recorded and the scheduler's own rules decide; executors"
          + " are simulated with the capacities and durations that history shows. Changes nothing."
    })
public final class BacktestCommand implements Callable<Integer> {
  @Spec private CommandSpec spec = CommandSpec.create();

  @Mixin private HistoryOptions source = new HistoryOptions();

  @Option(
      names = "--policy",
      paramLabel = "FILE",
      converter = FileToRead.class,
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
      converter = Time.class,
      description = "when it begins to hold; what was before is taken as it happened")
  private @Nullable Long fromMillis;

  @Option(
      names = "--until",
      paramLabel = "TIME",
      converter = Time.class,
      description = "where to stop, like 2026-01-31T12:00:00Z")
  private @Nullable Long untilMillis;

  @Option(
      names = "--output",
      defaultValue = "table",
      paramLabel = "FORM",
      description = "table for people, json for programs (default: ${DEFAULT-VALUE})")
  private OutputForm output = OutputForm.TABLE;

  @Override
  public Integer call() throws Exception {
    PolicyDocument document = PolicyFile.read(policy);
    BacktestOptions options = new BacktestOptions(document, replaced(), fromMillis, untilMillis);
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
}
