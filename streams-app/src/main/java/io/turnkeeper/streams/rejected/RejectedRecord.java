package io.turnkeeper.streams.rejected;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.turnkeeper.events.InvalidRecordException;
import io.turnkeeper.events.RecordJson;
import io.turnkeeper.events.Rejection;
import java.time.Instant;
import java.util.HexFormat;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;

/** A record of the rejected topic and why it is there. */
record RejectedRecord(ConsumerRecord<byte[], byte[]> record, Rejection rejection) {
  /** The most that is shown of a text or of a value that cannot be decoded. */
  private static final int MAX_SHOWN = 256;

  static RejectedRecord of(ConsumerRecord<byte[], byte[]> record) {
    return new RejectedRecord(record, Rejection.of(record.headers()));
  }

  RejectedId id() {
    return new RejectedId(record.partition(), record.offset());
  }

  /** Where it lay: topic, partition and offset. */
  String origin() {
    return rejection.topic() + "-" + rejection.partition() + "@" + rejection.offset();
  }

  String line() {
    return "%s  %s  %s  %s  %s  %s"
        .formatted(
            id(),
            Instant.ofEpochMilli(record.timestamp()),
            rejection.code(),
            origin(),
            printable(record.key()),
            printable(rejection.reason()));
  }

  ObjectNode json() {
    ObjectNode node = JsonNodeFactory.instance.objectNode();
    node.put("id", id().toString());
    node.put("time", Instant.ofEpochMilli(record.timestamp()).toString());
    node.put("code", rejection.code());
    node.put("reason", rejection.reason());
    node.put("topic", rejection.topic());
    node.put("partition", rejection.partition());
    node.put("offset", rejection.offset());
    node.put("key", record.key() == null ? null : printable(record.key()));
    return node;
  }

  /** All that is known of it: its place, headers, and value, decoded if it can be by now. */
  ObjectNode whole(RecordJson records) {
    ObjectNode node = json();
    ObjectNode headers = node.putObject("headers");
    record.headers().forEach(header -> headers.put(header.key(), printable(header.value())));
    if (rejection.omittedBytes().isPresent()) {
      return node.put("valueOmittedBytes", rejection.omittedBytes().getAsLong());
    }
    byte[] value = record.value();
    if (value == null) {
      return node.putNull("value");
    }
    try {
      node.set("value", records.ofBytes(value));
    } catch (InvalidRecordException e) {
      int shown = Math.min(value.length, MAX_SHOWN);
      node.put("valueHex", HexFormat.of().formatHex(value, 0, shown));
      node.put("valueBytes", value.length);
    }
    return node;
  }

  private static String printable(byte @Nullable [] bytes) {
    return bytes == null ? "(null)" : printable(new String(bytes, UTF_8));
  }

  /** Text from outside, without what would move the cursor, colour the screen or turn the line. */
  private static String printable(String text) {
    String cut = text.length() <= MAX_SHOWN ? text : text.substring(0, MAX_SHOWN) + "…";
    return cut.replaceAll("\\p{C}", "\uFFFD");
  }
}
