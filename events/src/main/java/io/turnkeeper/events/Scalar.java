package io.turnkeeper.events;

import java.io.IOException;
import java.util.Map;
import java.util.Objects;
import org.apache.avro.Schema;
import org.apache.avro.io.Decoder;
import org.apache.avro.io.Encoder;
import org.jspecify.annotations.Nullable;

/** The values without parts. */
enum Scalar implements Shape {
  INT(Schema.Type.INT) {
    @Override
    void writePresent(Object value, Encoder out) throws IOException {
      out.writeInt((Integer) value);
    }

    @Override
    public Object read(Decoder in) throws IOException {
      return in.readInt();
    }
  },
  LONG(Schema.Type.LONG) {
    @Override
    void writePresent(Object value, Encoder out) throws IOException {
      out.writeLong((Long) value);
    }

    @Override
    public Object read(Decoder in) throws IOException {
      return in.readLong();
    }
  },
  DOUBLE(Schema.Type.DOUBLE) {
    @Override
    void writePresent(Object value, Encoder out) throws IOException {
      out.writeDouble((Double) value);
    }

    @Override
    public Object read(Decoder in) throws IOException {
      return in.readDouble();
    }
  },
  BOOLEAN(Schema.Type.BOOLEAN) {
    @Override
    void writePresent(Object value, Encoder out) throws IOException {
      out.writeBoolean((Boolean) value);
    }

    @Override
    public Object read(Decoder in) throws IOException {
      return in.readBoolean();
    }
  },
  STRING(Schema.Type.STRING) {
    @Override
    void writePresent(Object value, Encoder out) throws IOException {
      out.writeString((String) value);
    }

    @Override
    public Object read(Decoder in) throws IOException {
      return in.readString();
    }
  };

  private static final Map<Class<?>, Scalar> BY_CLASS =
      Map.of(
          int.class, INT,
          Integer.class, INT,
          long.class, LONG,
          Long.class, LONG,
          double.class, DOUBLE,
          Double.class, DOUBLE,
          boolean.class, BOOLEAN,
          Boolean.class, BOOLEAN,
          String.class, STRING);

  private final Schema.Type avroType;

  Scalar(Schema.Type avroType) {
    this.avroType = avroType;
  }

  static @Nullable Scalar of(Class<?> type) {
    return BY_CLASS.get(type);
  }

  Schema.Type avroType() {
    return avroType;
  }

  @Override
  public void write(@Nullable Object value, Encoder out) throws IOException {
    writePresent(Objects.requireNonNull(value), out);
  }

  abstract void writePresent(Object value, Encoder out) throws IOException;
}
