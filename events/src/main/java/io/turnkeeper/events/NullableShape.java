package io.turnkeeper.events;

import java.io.IOException;
import org.apache.avro.io.Decoder;
import org.apache.avro.io.Encoder;
import org.jspecify.annotations.Nullable;

/** A value that may be absent: a union of null and one other type. */
record NullableShape(int nullPosition, Shape present) implements Shape {
  @Override
  public void write(@Nullable Object value, Encoder out) throws IOException {
    if (value == null) {
      out.writeIndex(nullPosition);
      out.writeNull();
    } else {
      out.writeIndex(1 - nullPosition);
      present.write(value, out);
    }
  }

  @Override
  public @Nullable Object read(Decoder in) throws IOException, InvalidRecordException {
    int position = in.readIndex();
    if (position == nullPosition) {
      in.readNull();
      return null;
    }
    if (position != 1 - nullPosition) {
      throw new InvalidRecordException(
          InvalidRecordException.Code.UNDECODABLE,
          "expected union branch 0 or 1, but it is " + position);
    }
    return present.read(in);
  }
}
