package io.turnkeeper.events;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;

/** Creates the topics. The cluster answers before its brokers know them, so it also waits. */
final class TopicCreation {
  private static final Duration DEADLINE = Duration.ofSeconds(30);
  private static final Duration PAUSE = Duration.ofMillis(20);

  private final Topics topics;
  private final Admin admin;

  TopicCreation(Topics topics, Admin admin) {
    this.topics = topics;
    this.admin = admin;
  }

  List<String> create(short replicationFactor) {
    Set<String> existing = Answers.of(admin.listTopics().names());
    List<NewTopic> missing =
        Arrays.stream(Topic.values())
            .filter(topic -> !existing.contains(topics.name(topic)))
            .map(topic -> definition(topic, replicationFactor))
            .toList();
    List<String> created = new ArrayList<>();
    admin
        .createTopics(missing)
        .values()
        .forEach(
            (name, answer) -> {
              if (Answers.unlessExists(answer)) {
                created.add(name);
              }
            });
    awaitUsable();
    return created.stream().sorted().toList();
  }

  private NewTopic definition(Topic topic, short replicationFactor) {
    return new NewTopic(topics.name(topic), topics.partitions(topic), replicationFactor)
        .configs(topic.settings());
  }

  private void awaitUsable() {
    List<String> names = Arrays.stream(Topic.values()).map(topics::name).toList();
    long deadline = System.nanoTime() + DEADLINE.toNanos();
    while (!areUsable(names)) {
      if (System.nanoTime() > deadline) {
        String message = "expected every topic to have leaders within " + DEADLINE;
        throw new KafkaFailedException(message, new TimeoutException(message));
      }
      LockSupport.parkNanos(PAUSE.toNanos());
    }
  }

  private boolean areUsable(List<String> names) {
    try {
      return admin.describeTopics(names).allTopicNames().get().values().stream()
          .allMatch(TopicCreation::hasLeaders);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof UnknownTopicOrPartitionException) {
        return false;
      }
      throw KafkaFailedException.of(e.getCause() == null ? e : e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new KafkaFailedException("interrupted while waiting for Kafka", e);
    }
  }

  private static boolean hasLeaders(TopicDescription description) {
    return description.partitions().stream()
        .allMatch(partition -> partition.leader() != null && !partition.leader().isEmpty());
  }
}
