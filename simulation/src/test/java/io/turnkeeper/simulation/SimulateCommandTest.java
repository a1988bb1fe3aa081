package io.turnkeeper.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.turnkeeper.simulation.plan.Scenario;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

class SimulateCommandTest {
  private static final int REFUSED = 2;

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private int run(String... arguments) {
    return new CommandLine(new SimulateCommand())
        .setOut(new PrintWriter(out, true))
        .setErr(new PrintWriter(err, true))
        .setCaseInsensitiveEnumValuesAllowed(true)
        .setParameterExceptionHandler(
            (e, given) -> {
              err.write(String.valueOf(e.getMessage()));
              return REFUSED;
            })
        .execute(arguments);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--seeds | 0",
        "--seeds | -1",
        "--seeds | many",
        "--seeds | 99999999999",
        "--steps | 0",
        "--steps | -1",
        "--steps | 2147483647",
        "--threads | 0",
        "--threads | 100000",
        "--seed | one",
        "--seed | 9223372036854775808",
        "--seed | 9223372036854775807",
        "--scenario | none",
        "--only | 40-3",
        "--only | 3,9-8",
        "--only | 3-",
        "--only | -3",
        "--only | 3,,4",
        "--only | 1-2147483647",
        "--only | 99999999999",
        "--only | 50",
        "--only | all",
      })
  void whatCannotBeDoneIsRefusedByOptionAndValue(String option, String value) {
    List<String> arguments = new ArrayList<>(List.of("--seed=1", "--steps=50"));
    arguments.removeIf(given -> given.startsWith(option + "="));
    if (option.equals("--seed")) {
      arguments.add("--seeds=2");
    }
    arguments.add(option + "=" + value);
    assertThat(run(arguments.toArray(String[]::new))).as("%s", out).isEqualTo(REFUSED);
    assertThat(err.toString()).contains(option).contains(value);
    assertThat(out.toString()).isEmpty();
  }

  @Test
  void helpSaysWhatEachScenarioIsAbout() {
    assertThat(run("--help")).isZero();
    for (Scenario scenario : Scenario.values()) {
      assertThat(out.toString().replaceAll("\\s+", " "))
          .contains(" " + scenario + " " + scenario.about());
    }
    String list = out.toString().substring(out.toString().indexOf("Scenarios:"));
    assertThat(list.lines().skip(1))
        .as("wrapped under itself")
        .allMatch(line -> line.startsWith("  "));
  }

  @Test
  void nothingIsNoList() {
    assertThat(run("--seed=1", "--only=")).isEqualTo(REFUSED);
    assertThat(err.toString()).contains("--only");
  }

  @Test
  void aLongListDoesNotHideWhatIsWrongWithIt() {
    assertThat(run("--seed=1", "--steps=5", "--only=" + "1,".repeat(5_000) + "9"))
        .isEqualTo(REFUSED);
    assertThat(err.toString()).contains("'9'").hasSizeLessThan(200);
  }

  @Test
  void onlyNeedsItsSeed() {
    assertThat(run("--only=3")).isEqualTo(REFUSED);
    assertThat(err.toString()).contains("--seed").contains("--only");
  }

  @ParameterizedTest
  @ValueSource(strings = {"--seeds", "--threads"})
  void whatSaysNothingOfOneLifeIsRefusedBesideOnly(String option) {
    assertThat(run("--seed=1", "--only=3", option + "=2")).isEqualTo(REFUSED);
    assertThat(err.toString()).contains(option).contains("--only");
  }

  @Test
  void theLastSeedIsLivedAlone() {
    assertThat(run("--seed=9223372036854775807", "--seeds=1", "--steps=5")).isZero();
  }

  @Test
  void theSameArgumentsPrintTheSameBytesAndTheTimeGoesElsewhere() {
    assertThat(run("--seeds=2", "--steps=50")).isZero();
    String first = out.toString();
    out.getBuffer().setLength(0);
    assertThat(run("--seeds=2", "--steps=50", "--threads=1")).isZero();
    assertThat(out.toString()).isEqualTo(first).doesNotContain("took");
    assertThat(err.toString()).containsPattern("took +\\d+\\.\\d s, [\\d,]+ steps a second");
  }

  @Test
  void aLifeIsToldByTheJournalsNamesAndWithoutWhatIsNull() {
    assertThat(run("--seed=1", "--steps=50", "--only=3")).isZero();
    assertThat(out.toString())
        .contains(" tables 1  ", " pool 1  ", "PolicyDocument[prepareCompact=true, ")
        .doesNotContain("=null", "[, ");
  }

  @Test
  void onlyTheActionsThatAreAskedForHappen() {
    assertThat(run("--seed=1", "--steps=50", "--only=7,3-4")).isZero();
    assertThat(out.toString()).contains("** #3 ", "** #4 ", "** #7 ").doesNotContain("** #5 ");
  }
}
