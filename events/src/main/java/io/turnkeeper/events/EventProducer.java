package io.turnkeeper.events;

import io.turnkeeper.core.Event;
import io.turnkeeper.core.TableId;
import io.turnkeeper.core.pool.PoolEvent;
import io.turnkeeper.core.table.TableEvent;
import java.time.Clock;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;

/** Writes events to their topics, each acknowledged by all replicas before its future completes. */
public final class EventProducer implements AutoCloseable {
  private static final int DELIVERY_TIMEOUT_MILLIS = 60_000;
  private static final int REQUEST_TIMEOUT_MILLIS = 15_000;
  private static final int MAX_BLOCK_MILLIS = 15_000;
  private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(5);

  private final Producer<byte[], byte[]> producer;
  private final Topics topics;
  private final RecordCodec codec;
  private final CloudEventHeaders headers;
  private final Clock clock;

  /**
   * Connects with the settings of a client, for example {@code bootstrap.servers}; what is needed
   * for safety is set here and not to be overridden.
   *
   * @param source who writes, for {@code ce_source}
   */
  public EventProducer(
      Map<String, ?> clientSettings, Topics topics, RecordCodec codec, String source) {
    this(new KafkaProducer<>(settings(clientSettings)), topics, codec, source, Clock.systemUTC());
  }

  EventProducer(
      Producer<byte[], byte[]> producer,
      Topics topics,
      RecordCodec codec,
      String source,
      Clock clock) {
    this.producer = producer;
    this.topics = topics;
    this.codec = codec;
    this.headers = new CloudEventHeaders(source);
    this.clock = clock;
  }

  /**
   * Sends an event about a table. The default policy goes to every partition; its future completes
   * when all have it.
   *
   * @throws IllegalArgumentException if the event has no topic of its own or is too large
   */
  public CompletableFuture<RecordMetadata> publish(TableEvent event) {
    Topic topic = Topics.topicOf(event);
    byte[] key = Topics.keyOf(event);
    if (!event.table().equals(TableId.DEFAULT)) {
      return send(topic, null, key, event);
    }
    List<CompletableFuture<RecordMetadata>> copies =
        IntStream.range(0, topics.partitions(topic))
            .mapToObj(partition -> send(topic, partition, key, event))
            .toList();
    return CompletableFuture.allOf(copies.toArray(CompletableFuture[]::new))
        .thenCompose(all -> copies.get(copies.size() - 1));
  }

  /**
   * Sends an event about a pool.
   *
   * @throws IllegalArgumentException if the event is too large
   */
  public CompletableFuture<RecordMetadata> publish(PoolEvent event) {
    return send(Topics.topicOf(event), null, Topics.keyOf(event), event);
  }

  private CompletableFuture<RecordMetadata> send(
      Topic topic, @Nullable Integer partition, byte[] key, Event event) {
    CompletableFuture<RecordMetadata> sent = new CompletableFuture<>();
    ProducerRecord<byte[], byte[]> record =
        new ProducerRecord<>(
            topics.name(topic),
            partition,
            key,
            codec.encode(event),
            headers.of(event, clock.instant()));
    try {
      // The callback carries the outcome into the future that is returned.
      Future<RecordMetadata> unused =
          producer.send(
              record,
              (metadata, failure) -> {
                if (failure == null) {
                  sent.complete(metadata);
                } else {
                  sent.completeExceptionally(failure);
                }
              });
    } catch (KafkaException e) {
      sent.completeExceptionally(e);
    }
    return sent;
  }

  /** Sends what is waiting, for at most 5 s, and disconnects. */
  @Override
  public void close() {
    close(CLOSE_TIMEOUT);
  }

  /** Sends what is waiting, for at most {@code patience}, and disconnects; the rest fails. */
  public void close(Duration patience) {
    producer.close(patience);
  }

  /** A client's settings, with those of a producer of keyed bytes that loses nothing. */
  public static Map<String, Object> settings(Map<String, ?> clientSettings) {
    Map<String, Object> settings = new HashMap<>();
    settings.put(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, DELIVERY_TIMEOUT_MILLIS);
    settings.put(ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, REQUEST_TIMEOUT_MILLIS);
    settings.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, MAX_BLOCK_MILLIS);
    settings.put(ProducerConfig.LINGER_MS_CONFIG, 0);
    settings.putAll(clientSettings);
    settings.put(ProducerConfig.ACKS_CONFIG, "all");
    settings.put(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, true);
    settings.put(ProducerConfig.KEY_SERIALIZER_CLASS_CONFIG, ByteArraySerializer.class);
    settings.put(ProducerConfig.VALUE_SERIALIZER_CLASS_CONFIG, ByteArraySerializer.class);
    // The keyed partitioner of this client is what the application checks for.
    settings.remove(ProducerConfig.PARTITIONER_CLASS_CONFIG);
    settings.remove(ProducerConfig.PARTITIONER_IGNORE_KEYS_CONFIG);
    return settings;
  }
}
