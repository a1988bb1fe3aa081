package io.turnkeeper.streams;

import io.turnkeeper.core.Require;
import io.turnkeeper.core.partition.Settings;
import io.turnkeeper.events.Topics;
import io.turnkeeper.events.storage.GivenPath;
import java.io.IOException;
import java.io.Reader;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.kafka.streams.state.HostInfo;
import org.jspecify.annotations.Nullable;

/**
 * The settings of one scheduler process.
 *
 * @param bootstrapServers the Kafka brokers, {@code host:port} separated by commas
 * @param topicPrefix what all topic names begin with
 * @param applicationId the Streams application id; one scheduler, one id
 * @param instanceId this instance's persistent id within the application
 * @param stateDir where the stores lie
 * @param tablePartitions the partition count of the table topics
 * @param poolPartitions the partition count of the pool topics
 * @param replicationFactor of topics created by this process
 * @param commitIntervalMillis how often transactions end; it decides the latency
 * @param kafka properties handed to every Kafka client as they are (security, for example)
 * @param sharing how instances share the work, and where this one answers reads
 * @param settings what the rules read
 */
public record SchedulerConfig(
    String bootstrapServers,
    String topicPrefix,
    String applicationId,
    String instanceId,
    Path stateDir,
    int tablePartitions,
    int poolPartitions,
    short replicationFactor,
    long commitIntervalMillis,
    Map<String, String> kafka,
    Sharing sharing,
    Settings settings) {
  private static final String KAFKA_PREFIX = "kafka.";
  private static final Pattern PREFIX = Pattern.compile("[a-zA-Z0-9._-]{0,200}");
  private static final int HIGHEST_PORT = 65_535;
  private static final int MOST_PARTITIONS = 10_000;

  /** Beyond it a turn would be granted long after its time. */
  private static final int MOST_COMMIT_MILLIS = 60_000;

  private static final Set<String> KEYS =
      new TreeSet<>(
          Set.of(
              "bootstrap.servers",
              "topic.prefix",
              "application.id",
              "instance.id",
              "state.dir",
              "table.partitions",
              "pool.partitions",
              "replication.factor",
              "commit.interval.ms",
              "group.protocol",
              "read.listen",
              "read.advertised",
              "claim.timeout.ms",
              "take.timeout.ms",
              "cancel.timeout.ms",
              "executor.timeout.ms",
              "placements.per.minute",
              "bytes.in.flight",
              "COMPACTION_PREPARE_TARGETS",
              "INDEX_PREPARE_TARGETS"));

  public SchedulerConfig {
    kafka = Map.copyOf(kafka);
  }

  /**
   * Reads a properties file's content; keys that begin with {@code kafka.} go to the Kafka clients
   * without that prefix.
   *
   * @throws ConfigException naming the key and what is wrong with it
   */
  public static SchedulerConfig of(Properties properties) throws ConfigException {
    for (String key : properties.stringPropertyNames()) {
      if (!KEYS.contains(key) && !key.startsWith(KAFKA_PREFIX)) {
        throw new ConfigException("unknown setting '" + key + "'; known are " + KEYS);
      }
    }
    Settings defaults = Settings.DEFAULT;
    return new SchedulerConfig(
        required(properties, "bootstrap.servers"),
        prefix(properties),
        properties.getProperty("application.id", "turnkeeper"),
        properties.getProperty("instance.id", "scheduler-1"),
        Path.of(properties.getProperty("state.dir", ".turnkeeper/streams")),
        (int) number(properties, "table.partitions", 8, MOST_PARTITIONS),
        (int) number(properties, "pool.partitions", 1, MOST_PARTITIONS),
        (short) number(properties, "replication.factor", 1, Short.MAX_VALUE),
        number(properties, "commit.interval.ms", 25, MOST_COMMIT_MILLIS),
        kafkaOf(properties),
        sharing(properties),
        new Settings(
            number(properties, "claim.timeout.ms", defaults.claimTimeoutMillis()),
            number(properties, "take.timeout.ms", defaults.takeTimeoutMillis()),
            number(properties, "cancel.timeout.ms", defaults.cancelTimeoutMillis()),
            number(properties, "executor.timeout.ms", defaults.executorTimeoutMillis()),
            number(properties, "placements.per.minute", defaults.placementsPerMinute()),
            number(properties, "bytes.in.flight", defaults.bytesInFlight()),
            list(properties, "COMPACTION_PREPARE_TARGETS"),
            list(properties, "INDEX_PREPARE_TARGETS")));
  }

  /**
   * Reads a properties file; see {@link #of}.
   *
   * @throws ConfigException also if the file cannot be read
   */
  public static SchedulerConfig read(Path file) throws ConfigException {
    Properties properties = new Properties();
    try (Reader reader = Files.newBufferedReader(file)) {
      properties.load(reader);
    } catch (CharacterCodingException | IllegalArgumentException e) {
      throw new ConfigException("expected a properties file in UTF-8: " + file, e);
    } catch (IOException e) {
      throw new ConfigException("cannot read " + file + ": " + GivenPath.reason(e), e);
    }
    return of(properties);
  }

  /** The same with the partition counts that the topics have. */
  public SchedulerConfig on(Topics topics) {
    return with(topics, sharing);
  }

  /** The same, answering reads at {@code address} unless others are to use a name it was given. */
  public SchedulerConfig answeringAt(HostInfo address) {
    return sharing.advertised() == null ? with(topics(), sharing.at(address)) : this;
  }

  private SchedulerConfig with(Topics topics, Sharing newSharing) {
    return new SchedulerConfig(
        bootstrapServers,
        topics.prefix(),
        applicationId,
        instanceId,
        stateDir,
        topics.tablePartitions(),
        topics.poolPartitions(),
        replicationFactor,
        commitIntervalMillis,
        kafka,
        newSharing,
        settings);
  }

  /** The topics this scheduler works on. */
  public Topics topics() {
    return new Topics(topicPrefix, tablePartitions, poolPartitions);
  }

  /** What any Kafka client of this process is made with. */
  public Map<String, Object> client() {
    Map<String, Object> client = new HashMap<>(kafka);
    client.put("bootstrap.servers", bootstrapServers);
    return client;
  }

  /** The topics from which Kafka Streams restores the stores. */
  Set<String> changelogs() {
    return Set.of(
        applicationId + "-" + Nodes.TABLE_STORE + "-changelog",
        applicationId + "-" + Nodes.POOL_STORE + "-changelog");
  }

  private static String prefix(Properties properties) throws ConfigException {
    String prefix = properties.getProperty("topic.prefix", Topics.DEFAULT_PREFIX);
    if (!PREFIX.matcher(prefix).matches()) {
      throw new ConfigException(
          "expected at most 200 letters, digits and any of . _ - for 'topic.prefix', but it is "
              + prefix);
    }
    return prefix;
  }

  private static Sharing sharing(Properties properties) throws ConfigException {
    String protocol = properties.getProperty("group.protocol", Sharing.Protocol.CLASSIC.setting());
    for (Sharing.Protocol known : Sharing.Protocol.values()) {
      if (known.setting().equals(protocol)) {
        HostInfo listen = address(properties, "read.listen");
        return new Sharing(
            known,
            listen == null ? Sharing.DEFAULT.listen() : listen,
            address(properties, "read.advertised"));
      }
    }
    throw new ConfigException(
        "expected classic or streams for 'group.protocol', but it is " + protocol);
  }

  private static @Nullable HostInfo address(Properties properties, String key)
      throws ConfigException {
    String value = properties.getProperty(key);
    if (value == null) {
      return null;
    }
    int colon = value.lastIndexOf(':');
    try {
      int port = Integer.parseInt(value.substring(colon + 1).strip());
      if (colon > 0 && port >= 0 && port <= HIGHEST_PORT) {
        return new HostInfo(value.substring(0, colon).strip(), port);
      }
    } catch (NumberFormatException e) {
      throw new ConfigException("expected HOST:PORT for '" + key + "', but it is " + value, e);
    }
    throw new ConfigException("expected HOST:PORT for '" + key + "', but it is " + value);
  }

  private static String required(Properties properties, String key) throws ConfigException {
    String value = properties.getProperty(key);
    if (value == null || value.isBlank()) {
      throw new ConfigException("expected a value for '" + key + "', but there is none");
    }
    return value;
  }

  private static long number(Properties properties, String key, long otherwise)
      throws ConfigException {
    return number(properties, key, otherwise, Require.MAX_NUMBER);
  }

  private static long number(Properties properties, String key, long otherwise, long most)
      throws ConfigException {
    String value = properties.getProperty(key);
    if (value == null) {
      return otherwise;
    }
    try {
      long number = Long.parseLong(value.strip());
      if (number > 0 && number <= most) {
        return number;
      }
    } catch (NumberFormatException e) {
      throw new ConfigException("expected a whole number for '" + key + "', but it is " + value, e);
    }
    throw new ConfigException(
        "expected a number from 1 to " + most + " for '" + key + "', but it is " + value);
  }

  private static List<String> list(Properties properties, String key) {
    return Arrays.stream(properties.getProperty(key, "").split(",", -1))
        .map(String::strip)
        .filter(name -> !name.isEmpty())
        .toList();
  }

  private static Map<String, String> kafkaOf(Properties properties) {
    return properties.stringPropertyNames().stream()
        .filter(key -> key.startsWith(KAFKA_PREFIX))
        .collect(
            Collectors.toMap(key -> key.substring(KAFKA_PREFIX.length()), properties::getProperty));
  }
}
