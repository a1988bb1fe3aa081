package io.turnkeeper.simulation;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** The command in a process of its own, since a signal ends the whole process. */
class SimulateIT {
  private static final int TERMINATED = 143;

  /** What the child runs. */
  public static void main(String[] args) {
    System.exit(new CommandLine(new SimulateCommand()).execute(args));
  }

  @Test
  void aTerminatedCampaignSaysHowFarItCameAndEndsWith143() throws Exception {
    Process child = start("--seeds", "1000000", "--steps", "20", "--threads", "1");
    try (BufferedReader said = child.errorReader(UTF_8)) {
      assertThat(said.readLine()).contains("of 1,000,000 lives");
      child.toHandle().destroy(); // Which, unlike that of the process, leaves its words readable.
      assertThat(child.waitFor(30, TimeUnit.SECONDS)).isTrue();
      assertThat(child.exitValue()).isEqualTo(TERMINATED);
      assertThat(said.lines())
          .anyMatch(line -> line.matches("stopped after .*none of which failed"));
    } finally {
      child.destroyForcibly();
    }
  }

  private static Process start(String... args) throws IOException {
    ProcessBuilder builder =
        new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-cp",
            System.getProperty("java.class.path"),
            SimulateIT.class.getName());
    builder.command().addAll(List.of(args));
    builder.redirectOutput(ProcessBuilder.Redirect.DISCARD);
    return builder.start();
  }
}
