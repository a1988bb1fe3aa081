package io.turnkeeper.local;

import io.turnkeeper.events.KafkaFailedException;
import io.turnkeeper.events.storage.GivenPath;
import io.turnkeeper.local.demo.DemoCommand;
import io.turnkeeper.local.demo.WarmUpCommand;
import io.turnkeeper.local.verify.VerifyCommand;
import io.turnkeeper.simulation.SimulateCommand;
import io.turnkeeper.streams.ActCommand;
import io.turnkeeper.streams.BadExportException;
import io.turnkeeper.streams.PolicyCommand;
import io.turnkeeper.streams.ServeCommand;
import io.turnkeeper.streams.audit.BacktestCommand;
import io.turnkeeper.streams.audit.CheckCommand;
import io.turnkeeper.streams.audit.JournalCommand;
import io.turnkeeper.streams.audit.ReplayCommand;
import io.turnkeeper.streams.cli.Directory;
import io.turnkeeper.streams.read.DescribeCommand;
import io.turnkeeper.streams.read.TablesCommand;
import io.turnkeeper.streams.read.WhyCommand;
import io.turnkeeper.streams.rejected.RejectedCommand;
import io.turnkeeper.worker.DoctorCommand;
import io.turnkeeper.worker.RegisterCommand;
import io.turnkeeper.worker.WorkerCommand;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.apache.kafka.common.KafkaException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.Spec;

/** The command line. Its exit codes are told by {@code --help}. */
@Command(
    name = "turnkeeper",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    description = "Write turns for Lance tables: merge, compact and index without losing a row.",
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:done",
      "1:failed, the message says why",
      "2:wrong usage or configuration",
      "130:interrupted",
      "143:stopped by SIGTERM, in order"
    },
    subcommands = {
      DemoCommand.class,
      UpCommand.class,
      ServeCommand.class,
      WorkerCommand.class,
      RegisterCommand.class,
      DoctorCommand.class,
      TablesCommand.class,
      DescribeCommand.class,
      WhyCommand.class,
      PolicyCommand.class,
      ActCommand.class,
      TopicsCommand.Group.class,
      JournalCommand.class,
      CheckCommand.class,
      ReplayCommand.class,
      BacktestCommand.class,
      RejectedCommand.class,
      VerifyCommand.class,
      FenceTrialCommand.class,
      WarmUpCommand.class,
      SimulateCommand.class,
      CompletionCommand.class,
      CommandLine.HelpCommand.class
    })
public final class Main implements Runnable {
  private static final Logger LOGGER = LoggerFactory.getLogger(Main.class);

  /** What a shell says of a command that was stopped by Ctrl-C. */
  private static final int INTERRUPTED = 130;

  /** Commands without a data directory that run until they are stopped. */
  private static final Set<String> LONG_RUNNING = Set.of("serve", "worker");

  @Spec private CommandSpec spec;

  @Option(
      names = "--log-dir",
      paramLabel = "DIR",
      converter = Directory.class,
      defaultValue = ".turnkeeper/logs",
      description =
          "where serve and worker log (default: ${DEFAULT-VALUE}); up and demo log into their data"
              + " directory")
  private Path logDir;

  /** Runs one command and ends the process with its exit code. */
  public static void main(String[] args) {
    // Lance calls back from threads of its own; what fails there belongs into the log.
    Thread.setDefaultUncaughtExceptionHandler(
        (thread, e) ->
            LOGGER
                .atError()
                .setCause(e)
                .log("thread {} failed: {}", thread.getName(), e.toString()));
    Shutdown shutdown = Shutdown.install();
    CommandLine commands = commandLine(shutdown::isRequested);
    int code = CommandLine.ExitCode.SOFTWARE;
    try {
      code = commands.execute(args);
    } finally {
      shutdown.commandEnded();
    }
    System.exit(code);
  }

  static CommandLine commandLine(BooleanSupplier isStopping) {
    // What is printed is the same wherever it is printed.
    Locale.setDefault(Locale.Category.FORMAT, Locale.ROOT);
    return new CommandLine(new Main())
        .setCaseInsensitiveEnumValuesAllowed(true)
        .setParameterExceptionHandler(new UsageErrors())
        .setExecutionStrategy(Main::run)
        .setExecutionExceptionHandler(
            (e, command, parsed) -> isStopping.getAsBoolean() ? INTERRUPTED : report(e, command));
  }

  private static int run(ParseResult parsed) {
    ParseResult command = parsed.subcommand();
    String name = command == null ? "" : command.commandSpec().name();
    if (LONG_RUNNING.contains(name) && !command.isUsageHelpRequested()) {
      Main main = parsed.commandSpec().commandLine().getCommand();
      Logs.into(main.logDir, name + ".log");
    }
    return new CommandLine.RunLast().execute(parsed);
  }

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "expected a command, but there is none");
  }

  private static int report(Exception e, CommandLine command) {
    LOGGER.atWarn().setCause(e).log("command {} failed", command.getCommandName());
    command.getErr().println("turnkeeper: " + reason(e));
    command.getErr().flush();
    boolean badInput =
        e instanceof ConfigException
            || e instanceof io.turnkeeper.streams.ConfigException
            || e instanceof BadExportException
            || (e instanceof KafkaException
                && e.getCause() instanceof org.apache.kafka.common.config.ConfigException);
    return badInput ? CommandLine.ExitCode.USAGE : CommandLine.ExitCode.SOFTWARE;
  }

  /** What the program found out itself is said in a sentence; anything else by its name too. */
  private static String reason(Exception e) {
    if (e instanceof IOException io) {
      return GivenPath.reason(io);
    }
    if (e instanceof KafkaException || e instanceof KafkaFailedException) {
      // Kafka's own sentence often stands a level below.
      Throwable cause = e.getCause();
      String below = cause == null ? null : cause.getMessage();
      String said = String.valueOf(e.getMessage());
      return below == null || said.contains(below) ? said : said + ": " + below;
    }
    boolean said =
        e instanceof ConfigException
            || e instanceof io.turnkeeper.streams.ConfigException
            || e instanceof IllegalStateException;
    return said ? String.valueOf(e.getMessage()) : e.toString();
  }
}
