package io.turnkeeper.streams;

import io.turnkeeper.events.KafkaFailedException;
import java.util.Collection;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;

/** What tells a topic from another of the same name that was there before it. */
final class TopicIds {
  private TopicIds() {}

  /**
   * The ids by name.
   *
   * @throws KafkaFailedException if the brokers do not say, or do not have one of the topics
   */
  static Map<String, String> of(Admin admin, Collection<String> topics) {
    try {
      return admin.describeTopics(topics).allTopicNames().get().values().stream()
          .collect(Collectors.toMap(topic -> topic.name(), topic -> topic.topicId().toString()));
    } catch (ExecutionException e) {
      throw new KafkaFailedException("cannot find the ids of " + topics, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new KafkaFailedException("interrupted while looking for the ids of " + topics, e);
    }
  }
}
