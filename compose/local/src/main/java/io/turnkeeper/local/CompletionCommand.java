package io.turnkeeper.local;

import picocli.AutoComplete;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Prints a completion script. */
@Command(
    name = "completion",
    mixinStandardHelpOptions = true,
    description = {
      "Print a completion script for bash and zsh.",
      "Use it with 'source <(./turnkeeper completion)'."
    })
final class CompletionCommand implements Runnable {
  @Spec private CommandSpec spec;

  @Override
  public void run() {
    spec.commandLine().getOut().print(AutoComplete.bash("turnkeeper", spec.root().commandLine()));
    spec.commandLine().getOut().flush();
  }
}
