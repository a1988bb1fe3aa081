package io.turnkeeper.events;

import java.io.IOException;
import java.lang.invoke.MethodHandle;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Objects;
import org.apache.avro.io.Decoder;
import org.apache.avro.io.Encoder;
import org.jspecify.annotations.Nullable;

/**
 * A record, field after field in the schema's order. A record around a single value is the same
 * shape: one field, and no bytes of its own.
 */
record RecordShape(MethodHandle components, MethodHandle constructor, List<Field> fields)
    implements Shape {
  /**
   * One field.
   *
   * @param argument which component, and argument of the constructor, it is
   */
  record Field(Shape shape, int argument) {}

  @Override
  public void write(@Nullable Object value, Encoder out) throws IOException {
    @Nullable Object[] values = Handles.all(components, Objects.requireNonNull(value));
    for (Field field : fields) {
      field.shape().write(values[field.argument()], out);
    }
  }

  /** The same bytes, if {@code known} are those of one of the components. */
  void write(Object value, Object component, ByteBuffer known, Encoder out) throws IOException {
    @Nullable Object[] values = Handles.all(components, value);
    for (Field field : fields) {
      if (values[field.argument()] == component) {
        out.writeFixed(known);
      } else {
        field.shape().write(values[field.argument()], out);
      }
    }
  }

  @Override
  public Object read(Decoder in) throws IOException, InvalidRecordException {
    @Nullable Object[] values = new Object[fields.size()];
    for (Field field : fields) {
      values[field.argument()] = field.shape().read(in);
    }
    return Handles.construct(constructor, values);
  }
}
