package io.turnkeeper.streams;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.turnkeeper.core.partition.Settings;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.apache.kafka.streams.state.HostInfo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SchedulerConfigTest {
  @TempDir private Path folder;

  @Test
  void whatIsNotSaidHasADefault() throws Exception {
    SchedulerConfig config = SchedulerConfig.of(properties());
    assertThat(config.topics().prefix()).isEqualTo("turnkeeper.");
    assertThat(config.tablePartitions()).isEqualTo(8);
    assertThat(config.poolPartitions()).isEqualTo(1);
    assertThat(config.commitIntervalMillis()).isEqualTo(25);
    assertThat(config.sharing()).isEqualTo(Sharing.DEFAULT);
    assertThat(config.settings()).isEqualTo(Settings.DEFAULT);
  }

  @Test
  void everySettingGoesWhereItBelongs() throws Exception {
    SchedulerConfig config =
        SchedulerConfig.of(
            properties(
                "topic.prefix=p.",
                "application.id=app",
                "instance.id=i",
                "state.dir=/s",
                "table.partitions=3",
                "pool.partitions=2",
                "replication.factor=4",
                "commit.interval.ms=50",
                "group.protocol=streams",
                "read.listen=0.0.0.0:7000",
                "read.advertised=host:7001",
                "claim.timeout.ms=1",
                "take.timeout.ms=2",
                "cancel.timeout.ms=3",
                "executor.timeout.ms=4",
                "placements.per.minute=5",
                "bytes.in.flight=6",
                "COMPACTION_PREPARE_TARGETS=a, b",
                "INDEX_PREPARE_TARGETS=*",
                "kafka.security.protocol=SSL"));
    assertThat(config)
        .isEqualTo(
            new SchedulerConfig(
                "localhost:1",
                "p.",
                "app",
                "i",
                Path.of("/s"),
                3,
                2,
                (short) 4,
                50,
                Map.of("security.protocol", "SSL"),
                new Sharing(
                    Sharing.Protocol.STREAMS,
                    new HostInfo("0.0.0.0", 7000),
                    new HostInfo("host", 7001)),
                new Settings(1, 2, 3, 4, 5, 6, List.of("a", "b"), List.of("*"))));
  }

  @ParameterizedTest
  @CsvSource({
    "bootstrap.servers, ''",
    "topic.prefix, 'b d/'",
    "topic.prefix, flüge.",
    "table.partitions, 0",
    "table.partitions, -1",
    "table.partitions, 4294967297",
    "table.partitions, many",
    "pool.partitions, 10001",
    "replication.factor, 65537",
    "commit.interval.ms, 60001",
    "bytes.in.flight, 9007199254740993",
    "claim.timeout.ms, 99999999999999999999",
    "group.protocol, eager",
    "read.listen, 7000",
    "read.listen, host:70000",
    "read.advertised, :7000",
    "comit.interval.ms, 50"
  })
  void aWrongValueIsRefusedByItsName(String key, String value) {
    assertThatThrownBy(() -> SchedulerConfig.of(properties(key + "=" + value)))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("'" + key + "'");
  }

  @Test
  void aFileThatIsNoneIsRefusedByItsName() throws Exception {
    Path file = folder.resolve("scheduler.properties");
    assertRefused(file);
    Files.writeString(file, "bootstrap.servers=\\u12", StandardCharsets.UTF_8);
    assertRefused(file);
    Files.write(file, new byte[] {'a', '=', (byte) 0xFF});
    assertRefused(file);
    assertRefused(folder);
  }

  private static void assertRefused(Path file) {
    assertThatThrownBy(() -> SchedulerConfig.read(file))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining(file.toString());
  }

  private static Properties properties(String... lines) {
    Properties properties = new Properties();
    properties.setProperty("bootstrap.servers", "localhost:1");
    for (String line : lines) {
      int equals = line.indexOf('=');
      properties.setProperty(line.substring(0, equals), line.substring(equals + 1));
    }
    return properties;
  }
}
