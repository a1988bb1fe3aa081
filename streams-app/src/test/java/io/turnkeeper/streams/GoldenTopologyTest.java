package io.turnkeeper.streams;

import static org.assertj.core.api.Assertions.assertThat;

import io.turnkeeper.core.partition.Settings;
import io.turnkeeper.events.RecordCodec;
import io.turnkeeper.events.Topics;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/**
 * The shape of the topology. A store that changes its name loses its changelog, and a part that
 * changes its place finds another part's directories; if either is meant, change the file.
 */
class GoldenTopologyTest {
  @Test
  void theTopologyIsTheOneThatStoresWereWrittenWith() throws Exception {
    JournalEnd inStep = (partition, storeSequence) -> {};
    String described =
        SchedulerTopology.build(
                new Topics("turnkeeper."),
                new RecordCodec(),
                Settings.DEFAULT,
                () -> 0,
                new Half(inStep, InputLog.EMPTY, new OpenStores()),
                new Half(inStep, InputLog.EMPTY, new OpenStores()))
            .describe()
            .toString();
    try (InputStream golden = getClass().getResourceAsStream("topology.txt")) {
      assertThat(golden).isNotNull();
      assertThat(described.strip())
          .isEqualTo(new String(golden.readAllBytes(), StandardCharsets.UTF_8).strip());
    }
  }
}
