package io.turnkeeper.events;

import java.lang.invoke.MethodHandle;
import org.jspecify.annotations.Nullable;

/** How the keys of a sorted map become strings and come back. */
interface MapKey {
  /** Strings are themselves. */
  MapKey STRING =
      new MapKey() {
        @Override
        public String text(Object key) {
          return (String) key;
        }

        @Override
        public Object parse(String text) {
          return text;
        }
      };

  /** Whole numbers are written in decimal. */
  MapKey LONG =
      new MapKey() {
        @Override
        public String text(Object key) {
          return key.toString();
        }

        @Override
        public Object parse(String text) throws InvalidRecordException {
          try {
            return Long.valueOf(text);
          } catch (NumberFormatException e) {
            throw refused("a whole number", text, e);
          }
        }
      };

  String text(Object key);

  Object parse(String text) throws InvalidRecordException;

  /** Enums are written by name. */
  record OfEnum(Class<?> type) implements MapKey {
    @Override
    public String text(Object key) {
      return ((Enum<?>) key).name();
    }

    @Override
    public Object parse(String text) throws InvalidRecordException {
      for (Object constant : type.getEnumConstants()) {
        if (text(constant).equals(text)) {
          return constant;
        }
      }
      throw refused("a " + type.getSimpleName(), text, null);
    }
  }

  /** A record around one value is written as that value. */
  record OfValue(MapKey inner, MethodHandle accessor, MethodHandle constructor) implements MapKey {
    @Override
    public String text(Object key) {
      return inner.text(Handles.get(accessor, key));
    }

    @Override
    public Object parse(String text) throws InvalidRecordException {
      return Handles.construct(constructor, new Object[] {inner.parse(text)});
    }
  }

  private static InvalidRecordException refused(
      String expected, String text, @Nullable Throwable cause) {
    return new InvalidRecordException(
        InvalidRecordException.Code.OUT_OF_RANGE,
        "expected " + expected + " as a key, but it is '" + text + "'",
        cause);
  }
}
