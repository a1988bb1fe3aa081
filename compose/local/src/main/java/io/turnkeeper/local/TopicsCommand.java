package io.turnkeeper.local;

import io.turnkeeper.events.KafkaFailedException;
import io.turnkeeper.events.TopicProblem;
import io.turnkeeper.events.Topics;
import io.turnkeeper.events.storage.GivenPath;
import io.turnkeeper.streams.cli.FileToRead;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.Callable;
import org.apache.kafka.clients.admin.Admin;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Creates the topics that are missing and checks all of them. */
@Command(
    name = "create",
    mixinStandardHelpOptions = true,
    description = "Create the topics that are missing, change none, and check all of them.")
final class TopicsCommand implements Callable<Integer> {
  /** The group the command belongs to. */
  @Command(
      name = "topics",
      mixinStandardHelpOptions = true,
      description = "Set up Kafka topics.",
      subcommands = TopicsCommand.class)
  static final class Group implements Runnable {
    @Spec private CommandSpec spec;

    @Override
    public void run() {
      throw new picocli.CommandLine.ParameterException(
          spec.commandLine(), "expected a command, but there is none");
    }
  }

  @Spec private CommandSpec spec;

  @Option(
      names = "--bootstrap-servers",
      required = true,
      paramLabel = "HOST:PORT",
      description = "the brokers, separated by commas")
  private String bootstrap;

  @Option(
      names = "--command-config",
      paramLabel = "FILE",
      converter = FileToRead.class,
      description = "properties of the Kafka client, for example its security")
  private @Nullable Path clientConfig;

  @Option(
      names = "--prefix",
      defaultValue = Topics.DEFAULT_PREFIX,
      description = "what all names begin with (default: ${DEFAULT-VALUE})")
  private String prefix;

  @Option(
      names = "--table-partitions",
      defaultValue = "" + Topics.DEFAULT_TABLE_PARTITIONS,
      converter = Whole.Partitions.class,
      description = "partitions of the topics keyed by table (default: ${DEFAULT-VALUE})")
  private int tablePartitions;

  @Option(
      names = "--pool-partitions",
      defaultValue = "" + Topics.DEFAULT_POOL_PARTITIONS,
      converter = Whole.Partitions.class,
      description = "partitions of the topics keyed by pool (default: ${DEFAULT-VALUE})")
  private int poolPartitions;

  @Option(
      names = "--replication-factor",
      defaultValue = "1",
      converter = Whole.Replicas.class,
      description = "replicas of each topic (default: ${DEFAULT-VALUE})")
  private short replicationFactor;

  @Override
  public Integer call() {
    PrintWriter out = spec.commandLine().getOut();
    Topics topics = new Topics(prefix, tablePartitions, poolPartitions);
    try (Admin admin = Admin.create(clientSettings())) {
      create(topics, admin).forEach(created -> out.println("created " + created));
      List<TopicProblem> problems = topics.check(admin);
      problems.forEach(out::println);
      out.println(
          problems.isEmpty() ? "all topics are as expected" : problems.size() + " problems");
      out.flush();
      return problems.isEmpty() ? 0 : 1;
    }
  }

  /** The brokers say what is wrong with a topic, but not which option it came from. */
  private List<String> create(Topics topics, Admin admin) {
    try {
      return topics.create(admin, replicationFactor);
    } catch (KafkaFailedException e) {
      String asked =
          String.format(
              "--bootstrap-servers %s --prefix %s --table-partitions %d --pool-partitions %d"
                  + " --replication-factor %d",
              bootstrap, prefix, tablePartitions, poolPartitions, replicationFactor);
      throw new KafkaFailedException("cannot create the topics with " + asked, e);
    }
  }

  private Map<String, Object> clientSettings() {
    Map<String, Object> settings = new HashMap<>();
    if (clientConfig != null) {
      Properties properties = new Properties();
      try (Reader reader = Files.newBufferedReader(clientConfig)) {
        properties.load(reader);
      } catch (IOException e) {
        throw new ConfigException(
            "cannot read --command-config " + clientConfig + ": " + GivenPath.reason(e), e);
      }
      properties
          .stringPropertyNames()
          .forEach(key -> settings.put(key, properties.getProperty(key)));
    }
    settings.put("bootstrap.servers", bootstrap);
    return settings;
  }
}
