package io.turnkeeper.events.wal;

import java.util.HashMap;
import java.util.Map;
import java.util.OptionalLong;
import org.apache.arrow.vector.types.pojo.Schema;

/**
 * What a generation says of itself in its schema's metadata. Numbers have a fixed width, so that
 * they can be filled in when the generation is sealed and its rows are counted.
 *
 * @param writerEpoch the epoch of its writer
 * @param writerId names its writer, so that no two writers ever write the same bytes
 * @param follows the writer of the generation before, as this writer saw it; empty if unknown
 * @param rowsThrough rows of all generations up to this one
 * @param bytesThrough bytes of the files of all generations up to this one
 * @param sealedAtMillis when it was sealed, in milliseconds since 1970
 */
record WalMetadata(
    long writerEpoch,
    String writerId,
    String follows,
    long rowsThrough,
    long bytesThrough,
    long sealedAtMillis) {
  static final String PREFIX = "turnkeeper.";
  static final String WRITER_EPOCH = PREFIX + "writer_epoch";
  static final String WRITER_ID = PREFIX + "writer_id";
  static final String FOLLOWS = PREFIX + "follows";
  static final String ROWS_THROUGH = PREFIX + "rows_through";
  static final String BYTES_THROUGH = PREFIX + "bytes_through";
  static final String SEALED_AT_MILLIS = PREFIX + "sealed_at_millis";

  /** The schema with these entries besides its own. */
  Schema in(Schema schema) {
    Map<String, String> metadata = new HashMap<>(schema.getCustomMetadata());
    metadata.put(WRITER_EPOCH, String.valueOf(writerEpoch));
    metadata.put(WRITER_ID, writerId);
    metadata.put(FOLLOWS, follows);
    metadata.put(ROWS_THROUGH, fixed(rowsThrough));
    metadata.put(BYTES_THROUGH, fixed(bytesThrough));
    metadata.put(SEALED_AT_MILLIS, fixed(sealedAtMillis));
    return new Schema(schema.getFields(), metadata);
  }

  /** A number of the metadata, empty if the writer did not say or it is none. */
  static OptionalLong number(Schema schema, String key) {
    String value = schema.getCustomMetadata().get(key);
    if (value == null || !value.matches("\\d{1,20}")) {
      return OptionalLong.empty();
    }
    try {
      return OptionalLong.of(Long.parseLong(value));
    } catch (NumberFormatException e) {
      return OptionalLong.empty();
    }
  }

  private static String fixed(long value) {
    return String.format("%020d", value);
  }
}
