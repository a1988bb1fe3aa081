package io.turnkeeper.local.demo;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.turnkeeper.local.Launched;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Needs both cores for itself: it shows that merges go on while an index is prepared. */
@Tag("alone")
class DemoIT {
  @TempDir Path temp;

  @Test
  void keepsATableInShapeAndFindsEveryRowOnce() throws Exception {
    Path file = temp.resolve("report.json");
    try (Launched demo =
        Launched.start(
            temp,
            "",
            "demo",
            "--data-dir=" + temp.resolve("data"),
            "--index-rows=2000000",
            "--write-seconds=12",
            "--report=" + file)) {
      assertThat(demo.awaitExit(Duration.ofSeconds(150))).as(demo.output()).isZero();
      JsonNode report = new ObjectMapper().readTree(file.toFile());
      assertThat(report.path("ok").asBoolean()).isTrue();
      assertThat(report.path("rowsSealed").asLong()).isGreaterThan(2_000_000);
      assertThat(report.path("rowsInTable")).isEqualTo(report.path("rowsSealed"));
      assertThat(report.path("generationsMerged")).isEqualTo(report.path("generationsSealed"));
      assertThat(report.path("mergesDuringIndexPreparation").asLong()).isPositive();
      assertThat(report.path("turns")).isNotEmpty();
      assertThat(report.path("units").findValuesAsText("kind"))
          .contains("MERGE_WAL", "INDEX", "COMPACT", "OBSERVE");
      assertThat(demo.output()).contains("result    ok");
    }
  }

  @Test
  void dataThatIsNotArrowIsOneClearLine() throws Exception {
    Path csv = Files.writeString(temp.resolve("flights.csv"), "delay,distance\n1,2\n");
    try (Launched demo = Launched.start(temp, "", "demo", "--data", csv.toString())) {
      assertThat(demo.awaitExit(Duration.ofSeconds(30))).isEqualTo(2);
      assertThat(demo.output().lines()).hasSize(1);
      assertThat(demo.output()).contains("expected an Arrow IPC file").contains(csv.toString());
    }
  }
}
