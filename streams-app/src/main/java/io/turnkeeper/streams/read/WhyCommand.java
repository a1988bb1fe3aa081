package io.turnkeeper.streams.read;

import com.fasterxml.jackson.databind.JsonNode;
import io.turnkeeper.streams.ConfigException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code why}: for each kind of work the one reason why it is not running now. */
@Command(
    name = "why",
    mixinStandardHelpOptions = true,
    description = {
      "Say for each kind of work why it is not running on a table now.",
      "The reasons are those of the rules that decide."
    })
public final class WhyCommand extends ReadCommand {
  @Parameters(paramLabel = "TABLE", description = "the table")
  private String table = "";

  @Override
  void ask(ReadClient client) throws InterruptedException, ConfigException {
    JsonNode answer = client.get("/v1/tables/" + ReadClient.encoded(table) + "/why");
    print(answer, TableText.reasons(answer));
  }
}
