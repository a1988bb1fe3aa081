package io.turnkeeper.events;

import io.turnkeeper.core.Event;
import io.turnkeeper.core.pool.PoolEvent;
import io.turnkeeper.core.table.Assignment;
import io.turnkeeper.core.table.TableEvent;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.utils.Utils;

/**
 * The names of the topics under one prefix, where each record goes, and how to set the topics up.
 *
 * @param prefix precedes every name
 * @param tablePartitions of the topics keyed by table
 * @param poolPartitions of the topics keyed by pool
 */
public record Topics(String prefix, int tablePartitions, int poolPartitions) {
  /** What names begin with where nothing is configured. */
  public static final String DEFAULT_PREFIX = "turnkeeper.";

  /** The partitions of table topics where nothing is configured. */
  public static final int DEFAULT_TABLE_PARTITIONS = 8;

  /** The partitions of pool topics where nothing is configured. */
  public static final int DEFAULT_POOL_PARTITIONS = 1;

  public Topics {
    if (tablePartitions < 1 || poolPartitions < 1) {
      throw new IllegalArgumentException(
          "expected at least 1 partition, but they are "
              + tablePartitions
              + " for tables and "
              + poolPartitions
              + " for pools");
    }
  }

  public Topics(String prefix) {
    this(prefix, DEFAULT_TABLE_PARTITIONS, DEFAULT_POOL_PARTITIONS);
  }

  /**
   * The topics under a prefix with the partition counts that they have.
   *
   * @throws KafkaFailedException if they are not there
   */
  public static Topics existing(Admin admin, String prefix) {
    Topics named = new Topics(prefix);
    return new Topics(
        prefix,
        partitions(admin, named.name(Topic.JOURNAL)),
        partitions(admin, named.name(Topic.POOL_JOURNAL)));
  }

  private static int partitions(Admin admin, String topic) {
    if (!Answers.of(admin.listTopics().names()).contains(topic)) {
      throw new IllegalStateException(
          "expected the topic " + topic + ", but the brokers have none of that name");
    }
    return Objects.requireNonNull(
            Answers.of(admin.describeTopics(List.of(topic)).allTopicNames()).get(topic))
        .partitions()
        .size();
  }

  public String name(Topic topic) {
    return prefix + topic.suffix();
  }

  public int partitions(Topic topic) {
    return switch (topic.spread()) {
      case TABLE -> tablePartitions;
      case POOL -> poolPartitions;
    };
  }

  /** The topic of that name, if it is one of these. */
  public Optional<Topic> named(String name) {
    return Arrays.stream(Topic.values()).filter(topic -> name(topic).equals(name)).findFirst();
  }

  /**
   * Where an event is written by whoever found it out.
   *
   * @throws IllegalArgumentException for what stands only in journals, and for a probe, which goes
   *     to the topic whose silence it checks
   */
  public static Topic topicOf(Event event) {
    for (Topic topic : Topic.values()) {
      if (topic.family() != null && topic.family().isInstance(event)) {
        return topic;
      }
    }
    throw new IllegalArgumentException(
        "expected an event with a topic of its own, but it is a " + event.getClass().getName());
  }

  public static byte[] keyOf(TableEvent event) {
    return utf8(event.table().value());
  }

  public static byte[] keyOf(PoolEvent event) {
    return utf8(event.pool().value());
  }

  public static byte[] keyOf(Assignment assignment) {
    return utf8(assignment.attempt().executor().value());
  }

  /** The bytes of a key: a table's, pool's or executor's id. */
  public static byte[] utf8(String id) {
    return id.getBytes(StandardCharsets.UTF_8);
  }

  /** The partition of a key among {@code count}, as the Java client computes it. */
  public static int partitionOf(byte[] key, int count) {
    return Utils.toPositive(Utils.murmur2(key)) % count;
  }

  /**
   * Creates what is missing, changes nothing that exists, and returns when all can be used.
   *
   * @return the names it created
   * @throws KafkaFailedException if the cluster does not answer, refuses or takes too long
   */
  public List<String> create(Admin admin, short replicationFactor) {
    return new TopicCreation(this, admin).create(replicationFactor);
  }

  /** What is wrong with the topics as they are; empty if the application can run on them. */
  public List<TopicProblem> check(Admin admin) {
    return new TopicCheck(this, admin).problems();
  }
}
