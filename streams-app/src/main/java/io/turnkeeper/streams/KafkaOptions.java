package io.turnkeeper.streams;

import io.turnkeeper.events.Topics;
import io.turnkeeper.events.storage.GivenPath;
import io.turnkeeper.streams.cli.FileToRead;
import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Properties;
import org.apache.kafka.clients.admin.Admin;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Spec.Target;

/** Where the scheduler's topics are; the partition counts are those that they have. */
public final class KafkaOptions {
  private static final int FIRST_ANSWER_MILLIS = 15_000;

  @Spec(Target.MIXEE)
  private CommandSpec spec = CommandSpec.create();

  @Option(
      names = "--bootstrap-servers",
      paramLabel = "HOST:PORT",
      description = "the brokers, separated by commas")
  private @Nullable String bootstrap;

  @Option(
      names = "--config",
      paramLabel = "FILE",
      converter = FileToRead.class,
      description = "the scheduler's own properties file, instead of the other options")
  private @Nullable Path config;

  @Option(
      names = "--command-config",
      paramLabel = "FILE",
      converter = FileToRead.class,
      description = "properties of the Kafka client, for example its security")
  private @Nullable Path clientConfig;

  @Option(
      names = "--prefix",
      defaultValue = Topics.DEFAULT_PREFIX,
      description = "what all topic names begin with (default: ${DEFAULT-VALUE})")
  private String prefix = Topics.DEFAULT_PREFIX;

  @Option(
      names = "--application-id",
      defaultValue = "turnkeeper",
      description = "the scheduler's application id (default: ${DEFAULT-VALUE})")
  private String applicationId = "turnkeeper";

  /** The scheduler's settings, as far as a reader needs them. */
  public SchedulerConfig scheduler() {
    try {
      SchedulerConfig given =
          config == null ? SchedulerConfig.of(properties()) : SchedulerConfig.read(config);
      try (Admin admin = Admin.create(soon(given.client()))) {
        return given.on(Topics.existing(admin, given.topicPrefix()));
      }
    } catch (ConfigException e) {
      throw new ParameterException(spec.commandLine(), e.getMessage(), e);
    }
  }

  /** Who is watching does not want to wait for a minute to hear that nobody is there. */
  private static Map<String, Object> soon(Map<String, Object> client) {
    Map<String, Object> soon = new HashMap<>(client);
    soon.putIfAbsent("request.timeout.ms", FIRST_ANSWER_MILLIS);
    soon.putIfAbsent("default.api.timeout.ms", FIRST_ANSWER_MILLIS);
    return soon;
  }

  private Properties properties() throws ConfigException {
    if (bootstrap == null) {
      throw new ConfigException("expected --bootstrap-servers or --config, but there is neither");
    }
    Properties all = new Properties();
    if (clientConfig != null) {
      Properties client = new Properties();
      try (Reader reader = Files.newBufferedReader(clientConfig)) {
        client.load(reader);
      } catch (IOException e) {
        throw new ConfigException(
            "cannot read --command-config " + clientConfig + ": " + GivenPath.reason(e), e);
      }
      client
          .stringPropertyNames()
          .forEach(key -> all.setProperty("kafka." + key, client.getProperty(key)));
    }
    all.setProperty("bootstrap.servers", bootstrap);
    all.setProperty("topic.prefix", prefix);
    all.setProperty("application.id", applicationId);
    return all;
  }
}
