package io.turnkeeper.worker;

import io.turnkeeper.core.ExecutorId;
import io.turnkeeper.core.Kind;
import io.turnkeeper.core.PoolId;
import io.turnkeeper.events.Topics;
import io.turnkeeper.worker.authority.EtcdSecurity;
import io.turnkeeper.worker.authority.EtcdSettings;
import io.turnkeeper.worker.child.Children;
import java.io.IOException;
import java.io.Reader;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigValue;
import org.jspecify.annotations.Nullable;

/**
 * A worker's settings as a properties file:
 *
 * <ul>
 *   <li>{@code bootstrap.servers} (required): the Kafka brokers
 *   <li>{@code etcd.endpoints} (required): client URLs, comma-separated
 *   <li>{@code executor.id} (required): this process's name, the same across restarts
 *   <li>{@code topic.prefix} (default {@code turnkeeper.})
 *   <li>{@code etcd.prefix} (default {@code /turnkeeper/})
 *   <li>{@code etcd.ca}: a PEM file of who vouches for etcd, for endpoints with https
 *   <li>{@code etcd.client.cert}, {@code etcd.client.key}: PEM files that prove the worker to etcd;
 *       the key as PKCS#8, not encrypted
 *   <li>{@code etcd.user}, {@code etcd.password} or {@code etcd.password.file}: an account of etcd
 *   <li>{@code pool} (default {@code default})
 *   <li>{@code slots.merge} (2), {@code slots.compact} (1), {@code slots.index} (1), {@code
 *       slots.repair} (1), {@code slots.retire} (1), {@code slots.observe} (2): units of each kind
 *       at once; 0 means none
 *   <li>{@code bytes.total} (default 3221225472): the memory of processes for preparations: what
 *       units reserve together, and 320 MiB for each of {@code children.ready}
 *   <li>{@code observe.target.rows} (default 1000000): the rows of a compacted fragment
 *   <li>{@code observe.target.bytes} (default 1073741824): its bytes
 *   <li>{@code children.ready} (default 2): processes for preparations that are kept, at work or
 *       ready; more are started when more units come at once
 *   <li>{@code kafka.*}: goes to every Kafka client as it is, without the prefix
 * </ul>
 */
public final class WorkerProperties {
  private static final String BOOTSTRAP = "bootstrap.servers";
  private static final String KAFKA = "kafka.";
  private static final String ETCD_ENDPOINTS = "etcd.endpoints";
  private static final String EXECUTOR = "executor.id";
  private static final String TOPIC_PREFIX = "topic.prefix";
  private static final String ETCD_PREFIX = "etcd.prefix";
  private static final String ETCD_CA = "etcd.ca";
  private static final String ETCD_CERTIFICATE = "etcd.client.cert";
  private static final String ETCD_KEY = "etcd.client.key";
  private static final String ETCD_USER = "etcd.user";
  private static final String ETCD_PASSWORD = "etcd.password";
  private static final String ETCD_PASSWORD_FILE = "etcd.password.file";
  private static final String POOL = "pool";
  private static final String BYTES_TOTAL = "bytes.total";
  private static final String OBSERVE_TARGET_ROWS = "observe.target.rows";
  private static final String OBSERVE_TARGET_BYTES = "observe.target.bytes";
  private static final String CHILDREN_READY = "children.ready";
  private static final SortedMap<String, Kind> SLOTS =
      new TreeMap<>(
          Map.of(
              "slots.merge", Kind.MERGE_WAL,
              "slots.compact", Kind.COMPACT,
              "slots.index", Kind.INDEX,
              "slots.repair", Kind.REPAIR,
              "slots.retire", Kind.RETIRE,
              "slots.observe", Kind.OBSERVE));

  private final Properties properties;

  private WorkerProperties(Properties properties) {
    this.properties = properties;
  }

  /**
   * Reads a file.
   *
   * @throws ConfigException naming the key that cannot be used
   */
  public static WorkerConfig read(Path file) {
    Properties properties = new Properties();
    try (Reader reader = Files.newBufferedReader(file)) {
      properties.load(reader);
    } catch (IOException e) {
      throw new ConfigException("config", file.toString(), "a readable file", e);
    } catch (IllegalArgumentException e) {
      // The reader's word for an escape that is none.
      throw new ConfigException(
          "config", file.toString(), "only escapes of four digits after \\u in the file", e);
    }
    return of(properties);
  }

  /**
   * Reads properties.
   *
   * @throws ConfigException naming the key that cannot be used
   */
  public static WorkerConfig of(Properties properties) {
    return new WorkerProperties(properties).config();
  }

  private WorkerConfig config() {
    Set<String> unknown = new TreeSet<>(properties.stringPropertyNames());
    List.of(
            BOOTSTRAP,
            ETCD_ENDPOINTS,
            EXECUTOR,
            TOPIC_PREFIX,
            ETCD_PREFIX,
            ETCD_CA,
            ETCD_CERTIFICATE,
            ETCD_KEY,
            ETCD_USER,
            ETCD_PASSWORD,
            ETCD_PASSWORD_FILE,
            POOL,
            BYTES_TOTAL,
            OBSERVE_TARGET_ROWS,
            OBSERVE_TARGET_BYTES,
            CHILDREN_READY)
        .forEach(unknown::remove);
    unknown.removeAll(SLOTS.keySet());
    unknown.removeIf(key -> key.startsWith(KAFKA));
    for (String key : unknown) {
      throw new ConfigException(key, properties.getProperty(key), "only known keys and no value");
    }
    int readyChildren =
        (int)
            Math.min(
                Integer.MAX_VALUE, number(CHILDREN_READY, WorkerConfig.DEFAULT_READY_CHILDREN, 0));
    return new WorkerConfig(
        required(BOOTSTRAP),
        kafka(),
        properties.getProperty(TOPIC_PREFIX, Topics.DEFAULT_PREFIX),
        etcd(),
        parsed(EXECUTOR, required(EXECUTOR), "an executor id", ExecutorId::new),
        parsed(POOL, properties.getProperty(POOL, "default"), "a pool id", PoolId::new),
        slots(),
        bytesTotal(readyChildren),
        number(OBSERVE_TARGET_ROWS, WorkerConfig.DEFAULT_OBSERVE_TARGET_ROWS, 1),
        number(OBSERVE_TARGET_BYTES, WorkerConfig.DEFAULT_OBSERVE_TARGET_BYTES, 1),
        readyChildren);
  }

  /** More than those may take that are kept, or no unit would ever fit. */
  private long bytesTotal(int readyChildren) {
    return number(
        BYTES_TOTAL, WorkerConfig.DEFAULT_BYTES_TOTAL, Children.keptBytes(readyChildren) + 1);
  }

  private Map<String, String> kafka() {
    Map<String, String> client = new TreeMap<>();
    for (String key : properties.stringPropertyNames()) {
      if (key.startsWith(KAFKA)) {
        client.put(key.substring(KAFKA.length()), properties.getProperty(key));
      }
    }
    requireValid(client, ConsumerConfig.configDef());
    requireValid(client, ProducerConfig.configDef());
    return client;
  }

  /** What no client knows goes to plug-ins, which know it. */
  private static void requireValid(Map<String, String> client, ConfigDef known) {
    for (ConfigValue setting : known.validate(client)) {
      String value = client.get(setting.name());
      if (value != null && !setting.errorMessages().isEmpty()) {
        throw new ConfigException(
            KAFKA + setting.name(),
            value,
            "what Kafka takes (" + String.join("; ", setting.errorMessages()) + ")");
      }
    }
  }

  private EtcdSettings etcd() {
    List<URI> endpoints =
        parsed(
            ETCD_ENDPOINTS,
            required(ETCD_ENDPOINTS),
            "comma-separated URLs",
            value ->
                Arrays.stream(value.split(",", -1)).map(String::strip).map(URI::create).toList());
    String prefix = properties.getProperty(ETCD_PREFIX, EtcdSettings.DEFAULT_PREFIX);
    parsed(ETCD_PREFIX, prefix, "a prefix that ends with '/'", EtcdSettings::requirePrefix);
    return parsed(
        ETCD_ENDPOINTS,
        required(ETCD_ENDPOINTS),
        "URLs that go with the certificates",
        value ->
            new EtcdSettings(endpoints, prefix, EtcdSettings.DEFAULT_CALL_TIMEOUT, security()));
  }

  private EtcdSecurity security() {
    String passwordFile = properties.getProperty(ETCD_PASSWORD_FILE, "");
    return new EtcdSecurity(
        path(ETCD_CA),
        path(ETCD_CERTIFICATE),
        path(ETCD_KEY),
        properties.getProperty(ETCD_USER, ""),
        passwordFile.isEmpty()
            ? properties.getProperty(ETCD_PASSWORD, "")
            : EtcdSecurity.password(Path.of(passwordFile)));
  }

  private @Nullable Path path(String key) {
    String value = properties.getProperty(key);
    return value == null ? null : Path.of(value.strip());
  }

  private SortedMap<Kind, Integer> slots() {
    SortedMap<Kind, Integer> slots = new TreeMap<>();
    SLOTS.forEach(
        (key, kind) -> {
          Integer standard = WorkerConfig.DEFAULT_SLOTS.get(kind);
          long count = number(key, standard == null ? 0 : standard, 0);
          if (count > 0) {
            slots.put(kind, Math.toIntExact(Math.min(count, Integer.MAX_VALUE)));
          }
        });
    return Collections.unmodifiableSortedMap(slots);
  }

  private String required(String key) {
    @Nullable String value = properties.getProperty(key);
    if (value == null || value.isBlank()) {
      throw new ConfigException(key, value == null ? "" : value, "a value");
    }
    return value.strip();
  }

  private long number(String key, long standard, long least) {
    String value = properties.getProperty(key, Long.toString(standard)).strip();
    long number = parsed(key, value, "a whole number", Long::parseLong);
    if (number < least) {
      throw new ConfigException(key, value, "at least " + least);
    }
    return number;
  }

  private static <T> T parsed(
      String key, String value, String expected, Function<String, T> parser) {
    try {
      return parser.apply(value);
    } catch (IllegalArgumentException e) {
      throw new ConfigException(key, value, expected, e);
    }
  }
}
