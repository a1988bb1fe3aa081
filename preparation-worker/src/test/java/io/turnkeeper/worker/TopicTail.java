package io.turnkeeper.worker;

import io.turnkeeper.events.CommittedRecords;
import io.turnkeeper.events.CommittedRecords.WhenGone;
import io.turnkeeper.events.InvalidRecordException;
import io.turnkeeper.events.RecordCodec;
import io.turnkeeper.events.TestBroker;
import io.turnkeeper.events.Topic;
import io.turnkeeper.events.Topics;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** Reads what workers write, and writes what the rules would. */
final class TopicTail implements AutoCloseable {
  private static final long PATIENCE_NANOS = Duration.ofSeconds(60).toNanos();

  private final RecordCodec codec = new RecordCodec();
  private final List<Object> read = new ArrayList<>();
  private final KafkaConsumer<byte[], byte[]> consumer;
  private final KafkaProducer<byte[], byte[]> producer;
  private final Topics topics;

  TopicTail(TestBroker broker, Topics topics) {
    this.topics = topics;
    consumer = CommittedRecords.consumer(broker.clientSettings(), WhenGone.EARLIEST);
    List<TopicPartition> partitions =
        Stream.of(Topic.DEMAND, Topic.CLAIM, Topic.CHECKPOINT, Topic.PUBLISH, Topic.EXECUTOR)
            .flatMap(topic -> consumer.partitionsFor(topics.name(topic)).stream())
            .map(info -> new TopicPartition(info.topic(), info.partition()))
            .toList();
    consumer.assign(partitions);
    consumer.seekToBeginning(partitions);
    producer =
        new KafkaProducer<>(
            broker.clientSettings(), new ByteArraySerializer(), new ByteArraySerializer());
  }

  void send(Topic topic, byte[] key, Object value) throws Exception {
    producer.send(new ProducerRecord<>(topics.name(topic), key, codec.encode(value))).get();
  }

  <T> List<T> all(Class<T> type) {
    return read.stream().filter(type::isInstance).map(type::cast).toList();
  }

  <T> T await(Class<T> type) {
    return await(type, event -> true);
  }

  <T> T await(Class<T> type, Predicate<T> wanted) {
    long deadline = System.nanoTime() + PATIENCE_NANOS;
    while (true) {
      for (T event : all(type)) {
        if (wanted.test(event)) {
          return event;
        }
      }
      if (System.nanoTime() > deadline) {
        throw new AssertionError("expected a " + type.getSimpleName() + ", but read " + read);
      }
      poll();
    }
  }

  private void poll() {
    for (ConsumerRecord<byte[], byte[]> record : consumer.poll(Duration.ofMillis(200))) {
      try {
        read.add(codec.decode(record.value()));
      } catch (InvalidRecordException e) {
        throw new AssertionError(e);
      }
    }
  }

  @Override
  public void close() {
    consumer.close();
    producer.close();
  }
}
