package io.turnkeeper.streams;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.turnkeeper.core.Event;
import io.turnkeeper.core.partition.Source;
import io.turnkeeper.events.InvalidRecordException;
import io.turnkeeper.events.InvalidRecordException.Code;
import io.turnkeeper.events.RecordCodec;
import io.turnkeeper.events.Rejection;
import java.util.Arrays;
import java.util.OptionalLong;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.streams.processor.api.Record;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tells the records that belong into a journal from those that do not, and why they do not. */
final class Intake {
  private static final Logger LOGGER = LoggerFactory.getLogger(Intake.class);

  /** The longest reason in a header, in characters; a hostile key may be megabytes long. */
  private static final int MAX_REASON = 512;

  /** A rejected record is copied up to this size, which its topic takes with all headers. */
  private static final long MAX_COPIED_BYTES = 8 << 20;

  private final Subject<?> subject;
  private final ProcessorSinks sinks;
  private final RecordCodec codec;

  Intake(Subject<?> subject, ProcessorSinks sinks, RecordCodec codec) {
    this.subject = subject;
    this.sinks = sinks;
    this.codec = codec;
  }

  /**
   * The record's event.
   *
   * @throws InvalidRecordException if it does not belong here
   */
  Event accepted(Record<byte[], byte[]> input, Source source) throws InvalidRecordException {
    if (input.value() == null) {
      throw new InvalidRecordException(Code.NULL_VALUE, "expected a value, but it is null");
    }
    if (input.key() == null) {
      throw new InvalidRecordException(Code.NULL_KEY, "expected a key, but it is null");
    }
    Event event = codec.decode(input.value(), Event.class);
    if (!subject.concerns(event) || !sinks.belongsOn(event, source.topic())) {
      throw new InvalidRecordException(
          Code.UNEXPECTED_TYPE,
          "expected an event of topic "
              + source.topic()
              + ", but it is a "
              + event.getClass().getSimpleName());
    }
    String subjectKey = subject.keyOf(event);
    if (subjectKey != null && subjectKey.startsWith("_")) {
      throw new InvalidRecordException(
          Code.OUT_OF_RANGE, "expected no reserved id, but it is '" + subjectKey + "'");
    }
    byte[] expected = bytes(subject.recordKeyOf(event));
    if (!Arrays.equals(expected, input.key())) {
      throw new InvalidRecordException(
          Code.WRONG_KEY,
          "expected the key '"
              + subject.recordKeyOf(event)
              + "', but it is '"
              + new String(input.key(), UTF_8)
              + "'");
    }
    int home = sinks.homeOf(expected);
    if (subjectKey != null && home != source.partition()) {
      throw new InvalidRecordException(
          Code.WRONG_PARTITION,
          "expected the key on partition "
              + home
              + ", but it came on "
              + source.partition()
              + ": set the producer's partitioner to murmur2 (librdkafka: partitioner=murmur2)");
    }
    return event;
  }

  /** The record that tells of a refusal: as it came, with the reason and its place in headers. */
  Record<Address, byte[]> rejection(
      Record<byte[], byte[]> input, Source source, InvalidRecordException e, long nowMillis) {
    Headers headers = new RecordHeaders(input.headers());
    String reason = shortened(String.valueOf(e.getMessage()));
    boolean fits = size(input.key()) + size(input.value()) <= MAX_COPIED_BYTES;
    // One that does not fit the topic keeps its place and size; the input topic has the rest.
    new Rejection(
            e.code().name(),
            reason,
            source.topic(),
            source.partition(),
            source.offset(),
            fits ? OptionalLong.empty() : OptionalLong.of(size(input.value())))
        .addTo(headers);
    LOGGER
        .atWarn()
        .addKeyValue("code", e.code())
        .addKeyValue("source", source)
        .addKeyValue("reason", reason)
        .log("record rejected");
    return new Record<>(
        new Address(fits ? input.key() : null, fits ? Address.BY_KEY : source.partition()),
        fits ? input.value() : new byte[0],
        nowMillis,
        headers);
  }

  private static long size(byte @Nullable [] bytes) {
    return bytes == null ? 0 : bytes.length;
  }

  private static String shortened(String text) {
    return text.length() <= MAX_REASON ? text : text.substring(0, MAX_REASON) + "…";
  }

  private static byte[] bytes(String text) {
    return text.getBytes(UTF_8);
  }
}
