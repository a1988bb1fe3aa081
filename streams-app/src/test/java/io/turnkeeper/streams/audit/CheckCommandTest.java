package io.turnkeeper.streams.audit;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.turnkeeper.core.policy.PolicyDocument;
import io.turnkeeper.events.RecordCodec;
import io.turnkeeper.streams.HistoryFile;
import io.turnkeeper.streams.backtest.RecordedWorld;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** What is not proven is told, and where that begins. */
class CheckCommandTest {
  private static final ObjectMapper JSON = new ObjectMapper();

  @TempDir static Path temp;

  private static Path whole;

  @BeforeAll
  static void export() throws Exception {
    whole = temp.resolve("whole.jsonl");
    new HistoryFile(whole, new RecordCodec())
        .write(RecordedWorld.under(PolicyDocument.EMPTY, true).run(60_000));
  }

  @Test
  void aWholeHistoryHoldsAndNothingIsPassedOver() throws Exception {
    assertThat(run(0, whole)).endsWith("all hold\n").doesNotContain("from here on");
    JsonNode json = JSON.readTree(run(0, whole, "--output=json"));
    assertThat(json.path("holds").asBoolean()).isTrue();
    assertThat(json.path("notes")).isEmpty();
    assertThat(json.at("/tables/turnsGranted").asLong()).isGreaterThan(3);
    assertThat(json.at("/tables/entriesOnlyInOrder").asLong()).isZero();
  }

  @Test
  void aGapIsBrokenAndEndsTheCount() throws Exception {
    Path file = without(entries -> entries.remove(20));
    assertThat(run(1, file))
        .contains("ENTRIES_MISSING tables, partition 0, entry 22: entry 21 was expected; from here")
        .contains("BROKEN tables, partition 0, entry 22: expected entry 21")
        .containsPattern("broken; of [0-9,]+ entries little but the order is checked\n$");
    JsonNode json = JSON.readTree(run(1, file, "--output=json"));
    assertThat(json.path("brokenCount").asLong()).isOne();
    assertThat(json.path("notes")).hasSize(1);
    assertThat(json.at("/notes/0/code").asText()).isEqualTo("ENTRIES_MISSING");
    assertThat(json.at("/notes/0/half").asText()).isEqualTo("tables");
    assertThat(json.at("/notes/0/partition").asInt()).isZero();
    assertThat(json.at("/notes/0/entry").asLong()).isEqualTo(22);
    assertThat(json.at("/tables/entriesOnlyInOrder").asLong())
        .isEqualTo(json.at("/tables/entries").asLong() - 20);
  }

  @Test
  void aHistoryWithoutItsBeginningIsCheckedInItsOrderAlone() throws Exception {
    Path file = without(entries -> entries.subList(0, 10).clear());
    assertThat(run(0, file))
        .contains("HISTORY_CUT tables, partition 0, entry 11: what came before is gone; from here")
        .contains("0 turns granted")
        .containsPattern("all hold; of [0-9,]+ entries little but the order is checked\n$");
  }

  @Test
  void eachPlaceIsToldOnce() throws Exception {
    Path file =
        without(
            entries -> {
              entries.remove(40);
              entries.remove(20);
            });
    JsonNode json = JSON.readTree(run(1, file, "--output=json"));
    assertThat(json.path("brokenCount").asLong()).isEqualTo(2);
    assertThat(json.path("notes")).as("the count ends once").hasSize(1);
  }

  /** The same export with other entries of tables. */
  private static Path without(Consumer<List<String>> change) throws Exception {
    List<String> tables = new ArrayList<>();
    List<String> others = new ArrayList<>();
    for (String line : Files.readAllLines(whole)) {
      (line.contains("\"of\":\"tables\"") && line.startsWith("{\"partition\"") ? tables : others)
          .add(line);
    }
    change.accept(tables);
    others.remove(others.size() - 1);
    tables.addAll(others);
    long entries = tables.stream().filter(line -> line.startsWith("{\"partition\"")).count();
    tables.add("{\"end\":" + entries + "}");
    return Files.write(temp.resolve("changed.jsonl"), tables);
  }

  private static String run(int code, Path file, String... more) {
    StringWriter said = new StringWriter();
    List<String> all = new ArrayList<>(List.of(more));
    all.add("--from-file=" + file);
    int exit =
        new CommandLine(new CheckCommand())
            .setCaseInsensitiveEnumValuesAllowed(true)
            .setOut(new PrintWriter(said))
            .setErr(new PrintWriter(said))
            .execute(all.toArray(new String[0]));
    assertThat(exit).as("%s", said).isEqualTo(code);
    return said.toString();
  }
}
