package io.turnkeeper.events;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.OptionalLong;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;

/**
 * Why a record was refused and where it lay: the headers, all beginning with {@code turnkeeper_},
 * of a record of the rejected topic.
 *
 * @param code a name of {@link InvalidRecordException.Code}, or one of a later version
 * @param omittedBytes how long the value was, if it was too long to be copied
 */
public record Rejection(
    String code,
    String reason,
    String topic,
    int partition,
    long offset,
    OptionalLong omittedBytes) {
  private static final String PREFIX = "turnkeeper_";
  private static final String CODE = PREFIX + "code";
  private static final String REASON = PREFIX + "reason";
  private static final String TOPIC = PREFIX + "topic";
  private static final String PARTITION = PREFIX + "partition";
  private static final String OFFSET = PREFIX + "offset";
  private static final String BYTES = PREFIX + "bytes";

  /**
   * What the headers of a rejected record say.
   *
   * @throws IllegalArgumentException if they are not those of a rejected record
   */
  public static Rejection of(Headers headers) {
    Header omitted = headers.lastHeader(BYTES);
    return new Rejection(
        text(headers, CODE),
        text(headers, REASON),
        text(headers, TOPIC),
        Integer.parseInt(text(headers, PARTITION)),
        Long.parseLong(text(headers, OFFSET)),
        omitted == null
            ? OptionalLong.empty()
            : OptionalLong.of(Long.parseLong(text(headers, BYTES))));
  }

  /** Adds all of this to headers. What an earlier refusal left there is replaced. */
  public void addTo(Headers headers) {
    removeFrom(headers);
    add(headers, CODE, code);
    add(headers, REASON, reason);
    add(headers, TOPIC, topic);
    add(headers, PARTITION, Integer.toString(partition));
    add(headers, OFFSET, Long.toString(offset));
    omittedBytes.ifPresent(bytes -> add(headers, BYTES, Long.toString(bytes)));
  }

  /** Leaves in headers what the record's producer has put there. */
  public static void removeFrom(Headers headers) {
    for (Header header : headers.toArray()) {
      if (header.key().startsWith(PREFIX)) {
        headers.remove(header.key());
      }
    }
  }

  private static void add(Headers headers, String key, String text) {
    headers.add(key, text.getBytes(UTF_8));
  }

  private static String text(Headers headers, String key) {
    Header header = headers.lastHeader(key);
    if (header == null || header.value() == null) {
      throw new IllegalArgumentException("expected a header " + key + ", but there is none");
    }
    return new String(header.value(), UTF_8);
  }
}
