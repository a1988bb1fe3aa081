package io.turnkeeper.bench;

import io.turnkeeper.core.Event;
import io.turnkeeper.core.pool.PoolEvent;
import io.turnkeeper.core.table.TableEvent;
import io.turnkeeper.events.CommittedRecords;
import io.turnkeeper.events.CommittedRecords.WhenGone;
import io.turnkeeper.events.EventProducer;
import io.turnkeeper.events.InvalidRecordException;
import io.turnkeeper.events.RecordCodec;
import io.turnkeeper.events.TestBroker;
import io.turnkeeper.events.Topics;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;

/** A broker with the topics of a scheduler, a producer of its inputs and a reader of one output. */
final class Cluster implements AutoCloseable {
  private static final Duration LIMIT = Duration.ofSeconds(120);
  private static final Duration PAUSE = Duration.ofMillis(2);

  final Path directory;
  final Topics topics = new Topics("bench.", 1, 1);
  final RecordCodec codec = new RecordCodec();
  final Admin admin;
  private final TestBroker broker;
  private final EventProducer producer;
  private final List<CompletableFuture<?>> sending = new ArrayList<>();

  Cluster() throws Exception {
    directory = Files.createTempDirectory("bench");
    broker = new TestBroker(directory.resolve("kafka"));
    admin = broker.admin();
    topics.create(admin, (short) 1);
    producer = new EventProducer(client(), topics, codec, "/bench");
  }

  Map<String, Object> client() {
    return broker.clientSettings();
  }

  void send(Event event) {
    sending.add(
        event instanceof PoolEvent one
            ? producer.publish(one)
            : producer.publish((TableEvent) event));
  }

  /** Waits until the broker has all that was sent. */
  void awaitSent() {
    CompletableFuture.allOf(sending.toArray(CompletableFuture[]::new)).join();
    sending.clear();
  }

  /** A reader of what is committed to a topic from now on. */
  KafkaConsumer<byte[], byte[]> readerOf(String topic, int partitions) {
    KafkaConsumer<byte[], byte[]> reader = CommittedRecords.consumer(client(), WhenGone.EARLIEST);
    List<TopicPartition> all =
        IntStream.range(0, partitions).mapToObj(one -> new TopicPartition(topic, one)).toList();
    reader.assign(all);
    reader.seekToEnd(all);
    all.forEach(reader::position);
    return reader;
  }

  /** The next record of that class. */
  <T> T next(KafkaConsumer<byte[], byte[]> reader, Class<T> type) {
    long deadline = System.nanoTime() + LIMIT.toNanos();
    while (System.nanoTime() < deadline) {
      T found = null;
      for (ConsumerRecord<byte[], byte[]> record : reader.poll(PAUSE)) {
        Object value = decoded(record.value());
        found = type.isInstance(value) ? type.cast(value) : found;
      }
      if (found != null) {
        return found;
      }
    }
    throw new IllegalStateException("expected a " + type.getSimpleName() + " within " + LIMIT);
  }

  private Object decoded(byte[] value) {
    try {
      return codec.decode(value);
    } catch (InvalidRecordException e) {
      throw new IllegalStateException("expected a record of ours", e);
    }
  }

  /** Waits for a condition. */
  static void await(String what, BooleanSupplier condition) throws InterruptedException {
    long deadline = System.nanoTime() + LIMIT.toNanos();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() > deadline) {
        throw new IllegalStateException("expected " + what + " within " + LIMIT);
      }
      Thread.sleep(PAUSE.toMillis());
    }
  }

  @Override
  public void close() {
    producer.close();
    admin.close();
    broker.close();
    try (Stream<Path> all = Files.walk(directory)) {
      for (Path one : all.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(one);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
