package io.turnkeeper.events;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.apache.avro.io.Decoder;
import org.apache.avro.io.Encoder;
import org.jspecify.annotations.Nullable;

/**
 * A sealed interface: one branch for each record that implements it.
 *
 * @param name the interface, for messages
 * @param branches in the schema's order; the null branch, if there is one, reads null
 * @param positions by the record's class
 * @param nullPosition -1 if the value is never absent
 */
record UnionShape(
    String name, List<Shape> branches, Map<Class<?>, Integer> positions, int nullPosition)
    implements Shape {
  /** The branch for an absent value. */
  static final Shape NULL =
      new Shape() {
        @Override
        public void write(@Nullable Object value, Encoder out) throws IOException {
          out.writeNull();
        }

        @Override
        public @Nullable Object read(Decoder in) throws IOException {
          in.readNull();
          return null;
        }
      };

  @Override
  public void write(@Nullable Object value, Encoder out) throws IOException {
    int position = value == null ? nullPosition : positionOf(value.getClass());
    if (position < 0) {
      throw new NullPointerException("expected a " + name + ", but it is null");
    }
    out.writeIndex(position);
    branches.get(position).write(value, out);
  }

  private int positionOf(Class<?> type) {
    Integer position = positions.get(type);
    if (position == null) {
      throw new IllegalArgumentException(
          "expected one of the records of " + name + ", but it is a " + type.getName());
    }
    return position;
  }

  @Override
  public @Nullable Object read(Decoder in) throws IOException, InvalidRecordException {
    int position = in.readIndex();
    if (position < 0 || position >= branches.size()) {
      throw new InvalidRecordException(
          InvalidRecordException.Code.UNDECODABLE,
          "expected a branch of " + name + " below " + branches.size() + ", but it is " + position);
    }
    return branches.get(position).read(in);
  }
}
