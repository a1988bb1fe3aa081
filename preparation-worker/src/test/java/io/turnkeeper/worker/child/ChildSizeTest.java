package io.turnkeeper.worker.child;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ChildSizeTest {
  private static final long MIB = 1 << 20;

  @Test
  void theHeapAndTheCeilingFollowTheReservation() {
    assertThat(ChildSize.of(0)).isEqualTo(ChildSize.STANDARD);
    assertThat(ChildSize.of(512 * MIB)).isEqualTo(ChildSize.STANDARD);
    assertThat(ChildSize.of(1_024 * MIB).heapMib()).isEqualTo(256);
    assertThat(ChildSize.of(1L << 50).heapMib()).isEqualTo(2_048);
    assertThat(ChildSize.ceilingBytes(0)).isEqualTo(512 * MIB);
    assertThat(ChildSize.ceilingBytes(1_024 * MIB)).isEqualTo(1_024 * MIB);
    assertThat(ChildCommand.arguments(new ChildSize(256), Path.of("t"))).contains("-Xmx256m");
  }

  @Test
  void noSecretReachesAProcess() {
    Map<String, String> environment =
        ChildCommand.environment(
            Map.of("ETCD_PASSWORD", "secret", "KAFKA_OPTS", "secret", "PATH", "/bin"),
            Path.of("t"));

    assertThat(environment).doesNotContainValue("secret").containsEntry("PATH", "/bin");
    assertThat(ChildCommand.arguments(ChildSize.STANDARD, Path.of("t")))
        .noneMatch(argument -> argument.contains("etcd") && !argument.contains(".jar"));
  }
}
