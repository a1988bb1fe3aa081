package io.turnkeeper.events;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Base64;
import java.util.Collection;
import java.util.Map;
import java.util.Objects;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericDatumReader;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.io.DecoderFactory;
import org.jspecify.annotations.Nullable;

/**
 * Shows records as JSON: their fields as their schema names them, and what they are under {@code
 * type}. For reading by people and tools; the bytes remain what counts.
 */
public final class RecordJson {
  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

  private final RecordCodec codec;

  public RecordJson(RecordCodec codec) {
    this.codec = codec;
  }

  /**
   * The JSON of a record that travels on its own.
   *
   * @throws IllegalArgumentException if it is none
   */
  public ObjectNode of(Object value) {
    try {
      return ofBytes(codec.encode(value));
    } catch (InvalidRecordException e) {
      throw new IllegalStateException("expected to read what was just written: " + value, e);
    }
  }

  /**
   * The JSON of an encoded record.
   *
   * @throws InvalidRecordException if the bytes are none
   */
  public ObjectNode ofBytes(byte[] bytes) throws InvalidRecordException {
    codec.decode(bytes); // What the rules would not accept is not shown as if they did.
    Schema schema =
        Objects.requireNonNull(
            codec.schemaStore().findByFingerprint(SingleObject.fingerprint(bytes)));
    int offset = SingleObject.HEADER_BYTES;
    try {
      GenericRecord record =
          new GenericDatumReader<GenericRecord>(schema)
              .read(
                  null,
                  DecoderFactory.get().binaryDecoder(bytes, offset, bytes.length - offset, null));
      return shown(record);
    } catch (IOException e) {
      throw new IllegalStateException("expected to read what was just decoded", e);
    }
  }

  private static ObjectNode shown(GenericRecord record) {
    ObjectNode node = NODES.objectNode().put("type", record.getSchema().getName());
    for (Schema.Field field : record.getSchema().getFields()) {
      node.set(field.name(), shown(record.get(field.pos())));
    }
    return node;
  }

  private static JsonNode shown(@Nullable Object value) {
    if (value == null) {
      return NODES.nullNode();
    }
    if (value instanceof GenericRecord record) {
      return shown(record);
    }
    if (value instanceof Collection<?> list) {
      ArrayNode node = NODES.arrayNode();
      list.forEach(element -> node.add(shown(element)));
      return node;
    }
    if (value instanceof Map<?, ?> map) {
      ObjectNode node = NODES.objectNode();
      map.forEach((key, element) -> node.set(String.valueOf(key), shown(element)));
      return node;
    }
    if (value instanceof Long number) {
      return NODES.numberNode(number);
    }
    if (value instanceof Integer number) {
      return NODES.numberNode(number);
    }
    if (value instanceof Double number) {
      return NODES.numberNode(number);
    }
    if (value instanceof Boolean flag) {
      return NODES.booleanNode(flag);
    }
    if (value instanceof ByteBuffer buffer) {
      byte[] bytes = new byte[buffer.remaining()];
      buffer.duplicate().get(bytes);
      return NODES.textNode(Base64.getEncoder().encodeToString(bytes));
    }
    return NODES.textNode(value.toString());
  }
}
