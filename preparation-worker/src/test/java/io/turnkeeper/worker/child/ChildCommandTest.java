package io.turnkeeper.worker.child;

import static org.assertj.core.api.Assertions.assertThat;

import io.turnkeeper.events.storage.Storages;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ChildCommandTest {
  private static final Path TEMPORARY = Path.of("/tmp/preparation");

  @Test
  void whatReachesStoragesIsPassedOnAndNothingOfTheAuthority() {
    assertThat(
            ChildCommand.environment(
                Map.of("AWS_SECRET_ACCESS_KEY", "s", "KAFKA_PASSWORD", "p", "ETCD_PASSWORD", "p"),
                TEMPORARY))
        .containsEntry("AWS_SECRET_ACCESS_KEY", "s")
        .doesNotContainValue("p");
  }

  @Test
  void theSettingsOfStoragesAreThoseOfTheWorkerHoweverItWasTold() {
    String before = System.setProperty(Storages.SETTINGS_PROPERTY, "/etc/storage.properties");
    try {
      assertThat(ChildCommand.environment(Map.of(), TEMPORARY))
          .containsEntry("TURNKEEPER_STORAGE", "/etc/storage.properties");
    } finally {
      if (before == null) {
        System.clearProperty(Storages.SETTINGS_PROPERTY);
      } else {
        System.setProperty(Storages.SETTINGS_PROPERTY, before);
      }
    }
  }
}
