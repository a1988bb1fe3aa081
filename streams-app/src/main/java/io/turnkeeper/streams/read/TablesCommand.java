package io.turnkeeper.streams.read;

import com.fasterxml.jackson.databind.JsonNode;
import io.turnkeeper.streams.ConfigException;
import picocli.CommandLine.Command;

/** {@code tables}: all tables, one line each. */
@Command(
    name = "tables",
    mixinStandardHelpOptions = true,
    description = {
      "List the tables of a running scheduler.",
      "With their backlog, what is at work on them and what failed."
    })
public final class TablesCommand extends ReadCommand {
  @Override
  void ask(ReadClient client) throws InterruptedException, ConfigException {
    if (!wantsJson()) {
      print(TableText.HEADING);
    }
    String path = "/v1/tables";
    JsonNode next;
    do {
      JsonNode page = client.get(path);
      page.path("tables").forEach(table -> print(table, TableText.line(table)));
      next = page.path("next");
      path = "/v1/tables?after=" + ReadClient.encoded(next.asText());
    } while (next.isTextual());
  }
}
