package io.turnkeeper.events;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.PrintStream;
import java.time.Instant;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.MessageFormatter;
import org.jspecify.annotations.Nullable;

/**
 * Lets Kafka's console consumer print our records, one JSON line each: {@code
 * kafka-console-consumer.sh --formatter io.turnkeeper.events.RecordFormatter}. What is no record of
 * ours is shown as such, with its place.
 */
public final class RecordFormatter implements MessageFormatter {
  private final RecordJson json = new RecordJson(new RecordCodec());

  @Override
  public void configure(Map<String, ?> configs) {
    // There is nothing to choose.
  }

  @Override
  public void writeTo(ConsumerRecord<byte[], byte[]> record, PrintStream output) {
    String key = record.key() == null ? "null" : new String(record.key(), UTF_8);
    output.printf(
        "%s %s-%d@%d %s %s%n",
        Instant.ofEpochMilli(record.timestamp()),
        record.topic(),
        record.partition(),
        record.offset(),
        key,
        value(record.value()));
  }

  private String value(byte @Nullable [] value) {
    if (value == null) {
      return "null";
    }
    try {
      return json.ofBytes(value).toString();
    } catch (InvalidRecordException e) {
      return "(" + e.code() + ": " + e.getMessage() + ")";
    }
  }
}
