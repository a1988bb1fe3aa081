package io.turnkeeper.streams.rejected;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.turnkeeper.core.TableId;
import io.turnkeeper.events.EventProducer;
import io.turnkeeper.events.InvalidRecordException;
import io.turnkeeper.events.InvalidRecordException.Code;
import io.turnkeeper.events.RecordCodec;
import io.turnkeeper.events.Rejection;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.jspecify.annotations.Nullable;

/**
 * Sends refused records once more, as they came, to the topic they came on and the partition their
 * key belongs to. What is refused again comes back as a new rejected record.
 */
final class Resubmission implements AutoCloseable {
  private static final String HEADER = "resubmitted";
  private static final byte[] DEFAULT_KEY = TableId.DEFAULT.value().getBytes(UTF_8);

  private final KafkaProducer<byte[], byte[]> producer;
  private final RecordCodec codec;

  Resubmission(Map<String, ?> clientSettings, RecordCodec codec) {
    producer = new KafkaProducer<>(EventProducer.settings(clientSettings));
    this.codec = codec;
  }

  /** Why sending it again would be in vain; null if it would not, as far as can be told here. */
  @Nullable String refusal(RejectedRecord rejected) {
    byte[] value = rejected.record().value();
    if (rejected.rejection().omittedBytes().isPresent()) {
      return "TOO_LARGE: its value was not copied, it lies at " + rejected.origin();
    }
    if (value == null) {
      return Code.NULL_VALUE + ": expected a value, but it is null";
    }
    if (rejected.record().key() == null) {
      return Code.NULL_KEY + ": expected a key, but it is null";
    }
    try {
      codec.decode(value);
      return null;
    } catch (InvalidRecordException e) {
      return e.code() + ": " + e.getMessage();
    }
  }

  /** Sends a record and waits until the broker has it. */
  RecordMetadata send(RejectedRecord rejected) throws InterruptedException {
    RecordHeaders headers = new RecordHeaders(rejected.record().headers());
    Rejection.removeFrom(headers);
    headers.remove(HEADER).add(HEADER, rejected.id().toString().getBytes(UTF_8));
    byte[] key = rejected.record().key();
    // The default policy has a copy on every partition; everything else goes where its key belongs.
    Integer partition =
        Arrays.equals(key, DEFAULT_KEY) ? (Integer) rejected.rejection().partition() : null;
    try {
      return producer
          .send(
              new ProducerRecord<>(
                  rejected.rejection().topic(), partition, key, rejected.record().value(), headers))
          .get();
    } catch (ExecutionException e) {
      throw new IllegalStateException(
          "cannot send " + rejected.id() + " again: " + e.getCause(), e);
    }
  }

  @Override
  public void close() {
    producer.close();
  }
}
