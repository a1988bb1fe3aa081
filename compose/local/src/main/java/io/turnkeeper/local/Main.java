package io.turnkeeper.local;

import io.turnkeeper.local.demo.DemoCommand;
import io.turnkeeper.local.demo.WarmUpCommand;
import io.turnkeeper.local.verify.VerifyCommand;
import io.turnkeeper.streams.ServeCommand;
import java.io.PrintWriter;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The command line. Exit codes: 0 done, 1 failed, 2 wrong usage or configuration. */
@Command(
    name = "turnkeeper",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    description = "Write turns for Lance tables: merge, compact and index without losing a row.",
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {"0:done", "1:failed, the message says why", "2:wrong usage or configuration"},
    subcommands = {
      DemoCommand.class,
      UpCommand.class,
      ServeCommand.class,
      TopicsCommand.Group.class,
      VerifyCommand.class,
      WarmUpCommand.class,
      CompletionCommand.class,
      CommandLine.HelpCommand.class
    })
public final class Main implements Runnable {
  @Spec private CommandSpec spec;

  /** Runs one command and ends the process with its exit code. */
  public static void main(String[] args) {
    CommandLine commands = commandLine();
    Shutdown shutdown = Shutdown.install();
    int code = commands.execute(args);
    shutdown.commandEnded();
    System.exit(code);
  }

  static CommandLine commandLine() {
    return new CommandLine(new Main())
        .setCaseInsensitiveEnumValuesAllowed(true)
        .setExecutionExceptionHandler(Main::report);
  }

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "expected a command, but there is none");
  }

  private static int report(Exception e, CommandLine command, CommandLine.ParseResult parsed) {
    PrintWriter err = command.getErr();
    if (e instanceof ConfigException) {
      err.println("turnkeeper: " + e.getMessage());
      err.flush();
      return CommandLine.ExitCode.USAGE;
    }
    err.println("turnkeeper: " + e);
    org.slf4j.LoggerFactory.getLogger(Main.class)
        .atWarn()
        .setCause(e)
        .log("command {} failed", command.getCommandName());
    err.flush();
    return CommandLine.ExitCode.SOFTWARE;
  }
}
