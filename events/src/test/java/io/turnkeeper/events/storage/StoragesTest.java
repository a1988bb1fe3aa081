package io.turnkeeper.events.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StoragesTest {
  @TempDir
  @SuppressWarnings("NullAway.Init")
  Path dir;

  @Test
  void aRootHoldsWhatLiesBelowIt() {
    StorageRoot root = new StorageRoot("s3://bucket/tables/", new TreeMap<>());
    assertThat(root.holds("s3://bucket/tables")).isTrue();
    assertThat(root.holds("s3://bucket/tables/a")).isTrue();
    assertThat(root.holds("s3://bucket/tables2")).isFalse();
  }

  @Test
  void settingsNameRootsWithTheirOptions() throws Exception {
    Path file = dir.resolve("storage.properties");
    Files.writeString(
        file,
        """
        lake.uri=s3://bucket/tables
        lake.endpoint = https://store.example\s
        logs.uri=s3://logs/
        """);
    assertThat(StorageSettings.read(file))
        .containsExactly(
            new StorageRoot(
                "s3://bucket/tables", new TreeMap<>(Map.of("endpoint", "https://store.example"))),
            new StorageRoot("s3://logs", new TreeMap<>()));
  }

  @Test
  void settingsThatCannotBeUsedAreRefusedByName() {
    assertRefused("endpoint", "NAME.uri");
    assertRefused("lake.endpoint", "lake.uri");
    assertThatThrownBy(() -> StorageSettings.read(dir.resolve("none")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("none");
  }

  private static void assertRefused(String key, String named) {
    Properties properties = new Properties();
    properties.setProperty(key, "x");
    assertThatThrownBy(() -> StorageSettings.of(properties))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(named);
  }

  @Test
  void theVariableNamesTheFile() {
    assertThat(StorageSettings.file(Map.of())).isEmpty();
    assertThat(StorageSettings.file(Map.of("TURNKEEPER_STORAGE", "/etc/storage.properties")))
        .isEqualTo("/etc/storage.properties");
  }
}
