package io.turnkeeper.local.demo;

import io.turnkeeper.core.TableId;
import io.turnkeeper.core.table.TableEvent;
import io.turnkeeper.events.CommittedRecords;
import io.turnkeeper.events.CommittedRecords.WhenGone;
import io.turnkeeper.events.InvalidRecordException;
import io.turnkeeper.events.RecordCodec;
import io.turnkeeper.events.Topic;
import io.turnkeeper.events.Topics;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;

/** All that was ever told of one table on some topics, with the broker's time of it. */
final class EventTail implements AutoCloseable {
  private final RecordCodec codec;
  private final TableId table;
  private final KafkaConsumer<byte[], byte[]> consumer;
  private final List<Heard<?>> heard = new ArrayList<>();

  /** One event, and when it was written, in milliseconds since 1970. */
  record Heard<T>(T event, long atMillis) {}

  EventTail(String bootstrap, Topics topics, RecordCodec codec, TableId table, Topic... which) {
    this.codec = codec;
    this.table = table;
    consumer = CommittedRecords.consumer(Map.of("bootstrap.servers", bootstrap), WhenGone.EARLIEST);
    List<TopicPartition> partitions =
        Stream.of(which)
            .flatMap(topic -> consumer.partitionsFor(topics.name(topic)).stream())
            .map(info -> new TopicPartition(info.topic(), info.partition()))
            .toList();
    consumer.assign(partitions);
    consumer.seekToBeginning(partitions);
  }

  /** The first event of that kind; it may have been told long ago. */
  <T> Heard<T> await(Class<T> type, Predicate<T> wanted) {
    long deadline = System.nanoTime() + NodeClient.LIMIT.toNanos();
    while (true) {
      for (Heard<T> one : all(type)) {
        if (wanted.test(one.event())) {
          return one;
        }
      }
      if (System.nanoTime() > deadline) {
        throw new AssertionError("expected a " + type.getSimpleName() + ", but heard " + heard);
      }
      poll();
    }
  }

  /** What was read of that kind so far. */
  <T> List<Heard<T>> all(Class<T> type) {
    return heard.stream()
        .filter(one -> type.isInstance(one.event()))
        .map(one -> new Heard<>(type.cast(one.event()), one.atMillis()))
        .toList();
  }

  private void poll() {
    for (ConsumerRecord<byte[], byte[]> record : consumer.poll(Duration.ofMillis(100))) {
      try {
        if (codec.decode(record.value()) instanceof TableEvent event
            && event.table().equals(table)) {
          heard.add(new Heard<>(event, record.timestamp()));
        }
      } catch (InvalidRecordException e) {
        throw new AssertionError(e);
      }
    }
  }

  @Override
  public void close() {
    consumer.close();
  }
}
