package io.turnkeeper.local;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the script that starts the program makes of its surroundings. */
class StartScriptIT {
  @TempDir Path temp;

  private record Said(int code, String text) {}

  private static Said start(String variable, String value, String... arguments) throws Exception {
    List<String> command = new ArrayList<>(List.of("target/turnkeeper/start"));
    command.addAll(List.of(arguments));
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().put(variable, value);
    Process process = builder.start();
    String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return new Said(process.waitFor(), text);
  }

  @Test
  void aTemporaryDirectoryThatIsNotThereIsNamed() throws Exception {
    Said said = start("TMPDIR", temp.resolve("none").toString(), "policy", "schema");
    assertThat(said.code()).isEqualTo(2);
    assertThat(said.text()).contains("expected TMPDIR to be a directory").contains("/none");
  }

  @Test
  void filesAreFoundWhateverTheirNamesAndTheLocale() throws Exception {
    Path folder = Files.createDirectory(temp.resolve("ä ö"));
    Path file = Files.writeString(folder.resolve("ß.json"), "{}");
    Said said = start("LC_ALL", "C", "policy", "validate", file.toString());
    assertThat(said.text()).contains("/ä ö/ß.json is valid");
    assertThat(said.code()).isZero();
  }
}
