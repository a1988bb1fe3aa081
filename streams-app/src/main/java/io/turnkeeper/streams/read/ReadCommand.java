package io.turnkeeper.streams.read;

import com.fasterxml.jackson.databind.JsonNode;
import io.turnkeeper.streams.ConfigException;
import io.turnkeeper.streams.OutputForm;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** What the commands that ask a running scheduler have in common. */
abstract class ReadCommand implements Callable<Integer> {
  private static final int FAILED = 1;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Mixin private ServerOptions server = new ServerOptions();

  @Option(
      names = "--output",
      defaultValue = "table",
      paramLabel = "FORM",
      description = "table for people, json for programs (default: ${DEFAULT-VALUE})")
  private OutputForm output = OutputForm.TABLE;

  /** Asks and says what was answered. */
  abstract void ask(ReadClient client) throws InterruptedException, ConfigException;

  @Override
  public Integer call() throws InterruptedException, ConfigException {
    try {
      ask(server.client());
      return 0;
    } catch (ReadFailedException e) {
      PrintWriter err = spec.commandLine().getErr();
      err.println("turnkeeper: " + e.getMessage());
      err.flush();
      return FAILED;
    }
  }

  boolean wantsJson() {
    return output == OutputForm.JSON;
  }

  /** One JSON object on one line, or its text. */
  void print(JsonNode answer, String text) {
    print(wantsJson() ? answer.toString() : text);
  }

  void print(String line) {
    PrintWriter out = spec.commandLine().getOut();
    out.println(line);
    out.flush();
  }
}
