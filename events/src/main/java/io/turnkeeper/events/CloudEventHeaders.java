package io.turnkeeper.events;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeader;

/**
 * The headers of every record, as the CloudEvents binding for Kafka names them (binary mode).
 *
 * @param source who writes, as a URI reference, for example {@code /writers/flights}
 */
public record CloudEventHeaders(String source) {
  /** What the values are; their schema is named by their own first bytes. */
  public static final String CONTENT_TYPE = "application/avro";

  private static final String SPEC_VERSION = "1.0";
  private static final String TYPE_PREFIX = "io.turnkeeper.";

  /** The headers of one record that is written at {@code time}. */
  public List<Header> of(Object value, Instant time) {
    return List.of(
        header("ce_specversion", SPEC_VERSION),
        header("ce_id", UUID.randomUUID().toString()),
        header("ce_source", source),
        header("ce_type", TYPE_PREFIX + value.getClass().getSimpleName()),
        header("ce_time", time.toString()),
        header("content-type", CONTENT_TYPE));
  }

  private static Header header(String name, String value) {
    return new RecordHeader(name, value.getBytes(StandardCharsets.UTF_8));
  }
}
