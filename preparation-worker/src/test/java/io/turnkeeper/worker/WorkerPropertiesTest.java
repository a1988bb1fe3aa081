package io.turnkeeper.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.turnkeeper.core.ExecutorId;
import io.turnkeeper.core.Kind;
import io.turnkeeper.core.PoolId;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Properties;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WorkerPropertiesTest {
  private final Properties properties = new Properties();

  WorkerPropertiesTest() {
    properties.putAll(
        Map.of(
            "bootstrap.servers", "127.0.0.1:9092",
            "etcd.endpoints", "http://127.0.0.1:4001, http://127.0.0.1:4002",
            "executor.id", "e1"));
  }

  @Test
  void whatIsNotSaidIsTheDefault() {
    WorkerConfig config = WorkerProperties.of(properties);

    assertThat(config.bootstrapServers()).isEqualTo("127.0.0.1:9092");
    assertThat(config.etcd().endpoints())
        .containsExactly(URI.create("http://127.0.0.1:4001"), URI.create("http://127.0.0.1:4002"));
    assertThat(config.executor()).isEqualTo(new ExecutorId("e1"));
    assertThat(config.topicPrefix()).isEqualTo("turnkeeper.");
    assertThat(config.pool()).isEqualTo(new PoolId("default"));
    assertThat(config.slots()).isEqualTo(WorkerConfig.DEFAULT_SLOTS);
    assertThat(config.bytesTotal()).isEqualTo(WorkerConfig.DEFAULT_BYTES_TOTAL);
    assertThat(config.bytesForUnits()).isGreaterThanOrEqualTo(2L << 30);
  }

  @Test
  void processesThatAreKeptTakeTheirPartOfTheMemory() {
    properties.setProperty("children.ready", "3");
    properties.setProperty("bytes.total", Long.toString(1L << 30));
    assertThat(WorkerProperties.of(properties).bytesForUnits())
        .isEqualTo((1L << 30) - 3 * (320L << 20));

    properties.setProperty("children.ready", "0");
    assertThat(WorkerProperties.of(properties).bytesForUnits())
        .as("one that has worked is kept")
        .isEqualTo((1L << 30) - (320L << 20));

    properties.setProperty("children.ready", "4");
    assertThatThrownBy(() -> WorkerProperties.of(properties))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("'bytes.total'");
  }

  @Test
  void whatIsForKafkaGoesToItsClientsButNotOverTheBrokers() {
    properties.setProperty("kafka.security.protocol", "SSL");
    properties.setProperty("kafka.bootstrap.servers", "elsewhere:1");

    assertThat(WorkerProperties.of(properties).client())
        .containsEntry("security.protocol", "SSL")
        .containsEntry("bootstrap.servers", "127.0.0.1:9092")
        .hasSize(2);
  }

  @Test
  void aKindWithoutSlotsIsNotRun() {
    properties.setProperty("slots.index", "0");
    properties.setProperty("slots.merge", "5");

    assertThat(WorkerProperties.of(properties).slots())
        .containsEntry(Kind.MERGE_WAL, 5)
        .doesNotContainKey(Kind.INDEX);
  }

  @ParameterizedTest
  @CsvSource({
    "slots.indexes, 1, slots.indexes",
    "bytes.total, many, bytes.total",
    "bytes.total, 0, bytes.total",
    "slots.merge, -1, slots.merge",
    "executor.id, no spaces, executor.id",
    "pool, '', pool",
    "etcd.prefix, /x, etcd.prefix",
    "etcd.endpoints, 'http://a b', etcd.endpoints",
    "bootstrap.servers, ' ', bootstrap.servers",
    "kafka.request.timeout.ms, soon, kafka.request.timeout.ms",
    "kafka.acks, some, kafka.acks",
    "kafka.fetch.min.bytes, -1, kafka.fetch.min.bytes",
  })
  void aBadSettingIsNamed(String key, String value, String named) {
    properties.setProperty(key, value);

    assertThatThrownBy(() -> WorkerProperties.of(properties))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("'" + named + "'")
        .hasMessageContaining("'" + value + "'");
  }

  @Test
  void anEscapeThatIsNoneIsSaidWithTheFile(@TempDir Path dir) throws Exception {
    Path file = Files.writeString(dir.resolve("worker.properties"), "pool=\\u00zz\n");

    assertThatThrownBy(() -> WorkerProperties.read(file))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("\\u")
        .hasMessageContaining(file.toString());
  }

  @Test
  void aMissingSettingIsNamed() {
    properties.remove("executor.id");

    assertThatThrownBy(() -> WorkerProperties.of(properties))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("'executor.id'");
  }

  @Test
  void aMissingFileIsNamed() {
    assertThatThrownBy(() -> WorkerProperties.read(Path.of("nowhere", "worker.properties")))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("worker.properties");
  }
}
