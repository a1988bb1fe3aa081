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
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class BacktestCommandTest {
  @TempDir static Path temp;

  private final StringWriter said = new StringWriter();

  @BeforeAll
  static void exportHistory() throws Exception {
    RecordedWorld world = RecordedWorld.under(PolicyDocument.EMPTY, true).run(120_000);
    new HistoryFile(history(), new RecordCodec()).write(world);
  }

  private static Path history() {
    return temp.resolve("history.jsonl.gz");
  }

  private static Path policy(String text) throws Exception {
    return Files.writeString(temp.resolve("policy.json"), text);
  }

  private String run(int code, Path policy, String... more) {
    said.getBuffer().setLength(0);
    CommandLine command =
        new CommandLine(new BacktestCommand())
            .setCaseInsensitiveEnumValuesAllowed(true)
            .setOut(new PrintWriter(said))
            .setErr(new PrintWriter(said))
            .setExecutionExceptionHandler(
                (e, line, parsed) -> {
                  said.write(String.valueOf(e.getMessage()));
                  return 2;
                });
    String[] all = new String[more.length + 2];
    System.arraycopy(more, 0, all, 2, more.length);
    all[0] = "--policy=" + policy;
    all[1] = "--from-file=" + history();
    assertThat(command.execute(all)).as("%s", said).isEqualTo(code);
    return said.toString();
  }

  @Test
  void theSameHistoryAndPolicyGiveTheSameBytes() throws Exception {
    Path seldom = policy("{\"merge\":{\"minGenerations\":30}}");
    String first = run(0, seldom, "--output=json");
    assertThat(run(0, seldom, "--output=json")).isEqualTo(first);
    JsonNode report = new ObjectMapper().readTree(first);
    assertThat(report.at("/policy/merge/minGenerations").asLong()).isEqualTo(30);
    assertThat(report.at("/executors/0/slots/MERGE_WAL").asLong()).isOne();
    JsonNode merges = report.at("/kinds/0");
    assertThat(merges.path("kind").asText()).isEqualTo("MERGE_WAL");
    assertThat(merges.at("/simulated/turns").asLong())
        .isPositive()
        .isLessThan(merges.at("/happened/turns").asLong());
    assertThat(report.at("/durations").findValuesAsText("samples")).isNotEmpty();
  }

  @Test
  void peopleSeeBothOutcomesBesideEachOther() throws Exception {
    assertThat(run(0, policy("{}")))
        .containsPattern("MERGE_WAL +happened +\\d+ ")
        .containsPattern("\n +simulated +\\d+ ")
        .contains("note: demand, registrations, observations");
  }

  @Test
  void onlyTheSpanThatIsAskedForIsCounted() throws Exception {
    Path same = policy("{}");
    assertThat(run(0, same, "--from=2027-01-15T08:01:00Z", "--until=2027-01-15T08:01:30Z"))
        .startsWith("2027-01-15T08:01:00Z to 2027-01-15T08:01:30Z");
    assertThat(run(2, same, "--from=2027-01-16T00:00:00Z")).startsWith("EMPTY_RANGE: ");
    assertThat(run(2, same, "--from=yesterday")).contains("--from").contains("expected a time");
  }

  @Test
  void aTablesOwnPolicyIsReplacedIfThatIsAsked() throws Exception {
    Path never = policy("{\"kinds\":[\"OBSERVE\"]}");
    assertThat(run(0, never, "--table=flights")).contains("the policy of flights replaced");
    assertThat(said.toString()).containsPattern("MERGE_WAL +happened[^\n]*\n +simulated +0 +- ");
    assertThat(run(2, never, "--table=unheard-of")).startsWith("NO_SUCH_TABLE: ");
  }

  @Test
  void anInvalidPolicyIsRefusedAsWhenItIsSet() throws Exception {
    Path wrong = policy("{\"merge\":{\"minGeneration\":2}}");
    assertThat(run(2, wrong)).contains("policy.json: ", "minGeneration");
  }
}
