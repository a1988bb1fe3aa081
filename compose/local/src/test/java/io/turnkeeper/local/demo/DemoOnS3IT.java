package io.turnkeeper.local.demo;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.turnkeeper.local.Launched;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/** The demo with its table in a bucket. */
@Tag("alone")
@EnabledIfSystemProperty(named = "storage", matches = "all")
class DemoOnS3IT {
  @TempDir Path temp;

  @Test
  void keepsATableInABucketInShapeAndFindsEveryRowOnce() throws Exception {
    Path file = temp.resolve("report.json");
    try (Launched demo =
        Launched.start(
            temp,
            "",
            "demo",
            "--storage=s3",
            "--data-dir=" + temp.resolve("data"),
            "--index-rows=1000000",
            "--write-seconds=10",
            "--report=" + file)) {
      assertThat(demo.awaitExit(Duration.ofMinutes(4))).as(demo.output()).isZero();
      JsonNode report = new ObjectMapper().readTree(file.toFile());
      assertThat(report.path("ok").asBoolean()).isTrue();
      assertThat(report.path("rowsInTable")).isEqualTo(report.path("rowsSealed"));
      assertThat(report.path("indexUsed").asBoolean()).isTrue();
      assertThat(report.path("units").findValuesAsText("kind"))
          .contains("MERGE_WAL", "INDEX", "OBSERVE");
    }
    assertThat(temp.resolve("data/tables")).doesNotExist();
    assertThat(temp.resolve("data/s3/objects/demo/tables")).isDirectory();
  }
}
