package io.turnkeeper.streams.read;

import com.fasterxml.jackson.databind.JsonNode;
import io.turnkeeper.streams.ConfigException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code describe}: all that is known of one table. */
@Command(
    name = "describe",
    mixinStandardHelpOptions = true,
    description = {
      "Show what a running scheduler knows of a table.",
      "Its versions, turn, live units, shards and failures."
    })
public final class DescribeCommand extends ReadCommand {
  @Parameters(paramLabel = "TABLE", description = "the table")
  private String table = "";

  @Override
  void ask(ReadClient client) throws InterruptedException, ConfigException {
    JsonNode answer = client.get("/v1/tables/" + ReadClient.encoded(table));
    print(answer, TableText.whole(answer));
  }
}
