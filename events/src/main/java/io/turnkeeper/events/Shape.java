package io.turnkeeper.events;

import java.io.IOException;
import org.apache.avro.io.Decoder;
import org.apache.avro.io.Encoder;
import org.jspecify.annotations.Nullable;

/** How values of one Java type are written and read under one schema. */
interface Shape {
  void write(@Nullable Object value, Encoder out) throws IOException;

  /**
   * Reads one value.
   *
   * @throws IOException if the bytes end or cannot be a number
   * @throws InvalidRecordException if they are no value of this type
   */
  @Nullable Object read(Decoder in) throws IOException, InvalidRecordException;
}
