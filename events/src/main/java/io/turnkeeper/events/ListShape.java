package io.turnkeeper.events;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import org.apache.avro.io.Decoder;
import org.apache.avro.io.Encoder;
import org.jspecify.annotations.Nullable;

/** A list, written as one block. */
record ListShape(Shape element) implements Shape {
  @Override
  public void write(@Nullable Object value, Encoder out) throws IOException {
    List<?> list = (List<?>) Objects.requireNonNull(value);
    out.writeArrayStart();
    out.setItemCount(list.size());
    for (Object item : list) {
      out.startItem();
      element.write(item, out);
    }
    out.writeArrayEnd();
  }

  @Override
  public Object read(Decoder in) throws IOException, InvalidRecordException {
    // The announced count is not believed: the list grows by what was really read.
    List<@Nullable Object> list = new ArrayList<>();
    for (long left = in.readArrayStart(); left > 0; left = in.arrayNext()) {
      for (long i = 0; i < left; i++) {
        list.add(element.read(in));
      }
    }
    return Collections.unmodifiableList(list);
  }
}
