package io.turnkeeper.core;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import io.turnkeeper.core.table.TableRules;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * What was decided, as it was recorded for one version of the rules. A decision that changes needs
 * a new {@link TableRules#VERSION}, since journals hold what the old rules decided; the new
 * version's files are written with {@code -Dturnkeeper.test.flags=-Dgolden=write}.
 */
public final class GoldenTrace {
  private static final Path DIRECTORY = Path.of("src/test/resources/decisions");

  private GoldenTrace() {}

  /** Fails unless these are the lines that are on record under that name. */
  public static void assertRecorded(String name, List<String> lines) throws IOException {
    Path file = DIRECTORY.resolve(name + "-" + TableRules.VERSION + ".txt");
    if (!Files.exists(file)) {
      if ("write".equals(System.getProperty("golden"))) {
        Files.createDirectories(DIRECTORY);
        Files.writeString(file, String.join("\n", lines) + "\n");
      }
      fail("expected what the rules decide to be on record in " + file);
    }
    String recorded = Files.readString(file, UTF_8);
    assertThat(lines)
        .as("decisions changed: raise TableRules.VERSION and record them anew")
        .isEqualTo(recorded.lines().toList());
  }
}
