package io.turnkeeper.streams;

import io.turnkeeper.events.KafkaFailedException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;

/** Asks the brokers for the inputs of one half. */
final class KafkaInputLog implements InputLog {
  private final Admin admin;
  private final SchedulerGroup group;
  private final List<String> topics;

  KafkaInputLog(Admin admin, SchedulerGroup group, List<String> topics) {
    this.admin = admin;
    this.group = group;
    this.topics = List.copyOf(topics);
  }

  @Override
  public Map<String, Extent> of(int partition) {
    List<TopicPartition> inputs =
        topics.stream().map(topic -> new TopicPartition(topic, partition)).toList();
    Map<TopicPartition, OffsetAndMetadata> committed = group.offsets();
    Map<String, String> ids = TopicIds.of(admin, topics);
    Map<TopicPartition, Long> begins = offsets(inputs, OffsetSpec.earliest());
    Map<TopicPartition, Long> ends = offsets(inputs, OffsetSpec.latest());
    Map<String, Extent> extents = new HashMap<>();
    for (TopicPartition input : inputs) {
      OffsetAndMetadata next = committed.get(input);
      extents.put(
          input.topic(),
          new Extent(
              begins.getOrDefault(input, 0L),
              ends.getOrDefault(input, 0L),
              next == null ? 0 : next.offset(),
              ids.getOrDefault(input.topic(), "")));
    }
    return extents;
  }

  @Override
  public long begin(String topic, int partition) {
    return offsets(List.of(new TopicPartition(topic, partition)), OffsetSpec.earliest())
        .values()
        .iterator()
        .next();
  }

  private Map<TopicPartition, Long> offsets(List<TopicPartition> inputs, OffsetSpec spec) {
    try {
      return admin
          .listOffsets(
              inputs.stream().collect(Collectors.toMap(Function.identity(), input -> spec)))
          .all()
          .get()
          .entrySet()
          .stream()
          .collect(Collectors.toMap(Map.Entry::getKey, found -> found.getValue().offset()));
    } catch (ExecutionException e) {
      throw new KafkaFailedException("cannot find where " + inputs + " begin and end", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new KafkaFailedException("interrupted while looking where " + inputs + " end", e);
    }
  }
}
