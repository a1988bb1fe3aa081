package io.turnkeeper.events;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.ListOffsetsResult.ListOffsetsResultInfo;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigResource;

/** Compares the topics of a cluster with what the rules rely on. */
final class TopicCheck {
  private static final String COMPACT = "compact";
  private static final String DELETE = "delete";

  private final Topics topics;
  private final Admin admin;
  private final String bootstrap;
  private final Map<String, TopicDescription> descriptions;
  private final Map<String, Config> configs;

  TopicCheck(Topics topics, Admin admin) {
    this.topics = topics;
    this.admin = admin;
    this.bootstrap = bootstrap(admin);
    Set<String> existing = Answers.of(admin.listTopics().names());
    List<String> present =
        Arrays.stream(Topic.values()).map(topics::name).filter(existing::contains).toList();
    this.descriptions = Answers.of(admin.describeTopics(present).allTopicNames());
    this.configs =
        Answers.of(
                admin
                    .describeConfigs(
                        present.stream()
                            .map(name -> new ConfigResource(ConfigResource.Type.TOPIC, name))
                            .toList())
                    .all())
            .entrySet()
            .stream()
            .collect(Collectors.toMap(entry -> entry.getKey().name(), Map.Entry::getValue));
  }

  List<TopicProblem> problems() {
    List<TopicProblem> problems = new ArrayList<>();
    for (Topic topic : Topic.values()) {
      TopicDescription description = descriptions.get(topics.name(topic));
      if (description == null) {
        problems.add(missing(topic));
      } else {
        checkPartitions(topic, description.partitions().size(), problems);
        checkSettings(topic, problems);
      }
    }
    return problems;
  }

  private TopicProblem missing(Topic topic) {
    String settings =
        new TreeMap<>(topic.settings())
            .entrySet().stream()
                .map(entry -> " --config " + entry.getKey() + "=" + entry.getValue())
                .collect(Collectors.joining());
    return new TopicProblem(
        topics.name(topic),
        "expected the topic to exist, but it does not",
        "kafka-topics.sh --bootstrap-server "
            + bootstrap
            + " --create --topic "
            + topics.name(topic)
            + " --partitions "
            + topics.partitions(topic)
            + settings);
  }

  private void checkPartitions(Topic topic, int actual, List<TopicProblem> problems) {
    int expected = topics.partitions(topic);
    if (actual == expected) {
      return;
    }
    boolean empty = isEmpty(topics.name(topic), actual);
    problems.add(
        new TopicProblem(
            topics.name(topic),
            "expected "
                + expected
                + " partitions, but there are "
                + actual
                + (empty ? "" : ", and it holds records, which stay where they are"),
            empty ? remade(topic, actual, expected) : setting(topic, actual)));
  }

  /** Nothing is lost with a topic in which nothing is. */
  private String remade(Topic topic, int actual, int expected) {
    String command = "kafka-topics.sh --bootstrap-server " + bootstrap;
    return actual < expected
        ? command + " --alter --topic " + topics.name(topic) + " --partitions " + expected
        : command + " --delete --topic " + topics.name(topic);
  }

  private static String setting(Topic topic, int actual) {
    String half = topic.spread() == Topic.Spread.TABLE ? "table" : "pool";
    return half
        + ".partitions="
        + actual
        + " in the scheduler's settings, or --"
        + half
        + "-partitions "
        + actual;
  }

  private boolean isEmpty(String topic, int partitions) {
    List<TopicPartition> all =
        IntStream.range(0, partitions)
            .mapToObj(partition -> new TopicPartition(topic, partition))
            .toList();
    Map<TopicPartition, ListOffsetsResultInfo> begins = offsets(all, OffsetSpec.earliest());
    return offsets(all, OffsetSpec.latest()).entrySet().stream()
        .allMatch(
            end ->
                end.getValue().offset()
                    == Objects.requireNonNull(begins.get(end.getKey())).offset());
  }

  private Map<TopicPartition, ListOffsetsResultInfo> offsets(
      List<TopicPartition> of, OffsetSpec spec) {
    return Answers.of(
        admin
            .listOffsets(
                of.stream().collect(Collectors.toMap(Function.identity(), ignored -> spec)))
            .all());
  }

  private void checkSettings(Topic topic, List<TopicProblem> problems) {
    Set<String> policies =
        Arrays.stream(setting(topic, "cleanup.policy").split(","))
            .map(String::strip)
            .filter(policy -> !policy.isEmpty())
            .collect(Collectors.toSet());
    boolean newestOnly = topic.kept() == Topic.Kept.NEWEST;
    if (policies.contains(COMPACT) != newestOnly) {
      String why =
          newestOnly
              ? "expected compaction, since only the newest state of a table counts"
              : "expected no compaction, since every record of a table counts";
      problems.add(wrong(topic, "cleanup.policy", why));
    }
    // An empty policy keeps everything, whatever the limits say.
    if (topic.kept() == Topic.Kept.FOR_EVER && policies.contains(DELETE)) {
      for (String limit : List.of("retention.ms", "retention.bytes")) {
        if (!setting(topic, limit).equals("-1")) {
          problems.add(wrong(topic, limit, "expected no limit, since nothing may be lost"));
        }
      }
    }
    if (Long.parseLong(setting(topic, "max.message.bytes")) < AvroLimits.MAX_RECORD_BYTES) {
      problems.add(wrong(topic, "max.message.bytes", "expected room for the largest record"));
    }
  }

  private TopicProblem wrong(Topic topic, String name, String why) {
    return new TopicProblem(
        topics.name(topic),
        why + ", but " + name + " is '" + setting(topic, name) + "'",
        "kafka-configs.sh --bootstrap-server "
            + bootstrap
            + " --alter --entity-type topics --entity-name "
            + topics.name(topic)
            + " --add-config "
            + name
            + "="
            + topic.settings().get(name));
  }

  private String setting(Topic topic, String name) {
    Config config = Objects.requireNonNull(configs.get(topics.name(topic)));
    return Objects.requireNonNullElse(config.get(name).value(), "");
  }

  private static String bootstrap(Admin admin) {
    Node node = Answers.of(admin.describeCluster().nodes()).iterator().next();
    return node.host() + ":" + node.port();
  }
}
