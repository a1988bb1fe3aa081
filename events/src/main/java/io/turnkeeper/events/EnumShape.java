package io.turnkeeper.events;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.avro.io.Decoder;
import org.apache.avro.io.Encoder;
import org.jspecify.annotations.Nullable;

/**
 * An enum, by the position of its name in the schema.
 *
 * @param constants in the schema's order
 * @param positions the position of each constant
 */
record EnumShape(String name, List<Object> constants, Map<Object, Integer> positions)
    implements Shape {
  @Override
  public void write(@Nullable Object value, Encoder out) throws IOException {
    out.writeEnum(Objects.requireNonNull(positions.get(Objects.requireNonNull(value))));
  }

  @Override
  public Object read(Decoder in) throws IOException, InvalidRecordException {
    int position = in.readEnum();
    if (position < 0 || position >= constants.size()) {
      throw new InvalidRecordException(
          InvalidRecordException.Code.UNDECODABLE,
          "expected a " + name + " below " + constants.size() + ", but it is " + position);
    }
    return constants.get(position);
  }
}
