package io.turnkeeper.events;

import java.io.IOException;
import java.util.Collections;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.avro.io.Decoder;
import org.apache.avro.io.Encoder;
import org.jspecify.annotations.Nullable;

/** A sorted map, written in the natural order of its keys, so that equal maps have equal bytes. */
record MapShape(MapKey key, Shape element) implements Shape {
  @Override
  public void write(@Nullable Object value, Encoder out) throws IOException {
    SortedMap<?, ?> map = naturallySorted((SortedMap<?, ?>) Objects.requireNonNull(value));
    out.writeMapStart();
    out.setItemCount(map.size());
    for (Map.Entry<?, ?> entry : map.entrySet()) {
      out.startItem();
      out.writeString(key.text(entry.getKey()));
      element.write(entry.getValue(), out);
    }
    out.writeMapEnd();
  }

  private static SortedMap<?, ?> naturallySorted(SortedMap<?, ?> map) {
    return map.comparator() == null ? map : new TreeMap<>((Map<?, ?>) map);
  }

  @Override
  public Object read(Decoder in) throws IOException, InvalidRecordException {
    SortedMap<Object, @Nullable Object> map = new TreeMap<>();
    for (long left = in.readMapStart(); left > 0; left = in.mapNext()) {
      for (long i = 0; i < left; i++) {
        Object next = key.parse(in.readString());
        if (map.containsKey(next)) {
          throw new InvalidRecordException(
              InvalidRecordException.Code.UNDECODABLE,
              "expected each key once, but '" + next + "' comes twice");
        }
        map.put(next, element.read(in));
      }
    }
    return Collections.unmodifiableSortedMap(map);
  }
}
