package io.turnkeeper.events;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Objects;
import org.apache.avro.AvroRuntimeException;
import org.apache.avro.Schema;
import org.apache.avro.SystemLimitException;
import org.apache.avro.generic.GenericDatumReader;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.avro.io.BinaryDecoder;
import org.apache.avro.io.DecoderFactory;
import org.apache.avro.io.Encoder;
import org.apache.avro.io.EncoderFactory;
import org.jspecify.annotations.Nullable;

/**
 * One record that travels on its own, with the schema it is written under.
 *
 * @param fingerprint that schema's
 * @param maxBytes the largest encoding, header included
 */
record WireType(Class<?> type, Schema schema, long fingerprint, RecordShape shape, int maxBytes) {
  private static final int INITIAL_BYTES = 256;

  /** With buffers: a state has hundreds of numbers, and each would lock the bytes it goes to. */
  private static final EncoderFactory ENCODERS =
      new EncoderFactory().configureBufferSize(INITIAL_BYTES);

  byte[] encode(Object value) {
    return encode(out -> shape.write(value, out));
  }

  /** The same bytes, if {@code known} is the encoding of that component, and of its own type. */
  byte[] encode(Object value, Object component, WireType type, byte[] known) {
    if (!type.hasWritten(known)) {
      return encode(value);
    }
    ByteBuffer payload =
        ByteBuffer.wrap(known, SingleObject.HEADER_BYTES, known.length - SingleObject.HEADER_BYTES);
    return encode(out -> shape.write(value, component, payload, out));
  }

  /** Whether the bytes are of this type, under its current schema. */
  private boolean hasWritten(byte[] bytes) {
    return Arrays.equals(
        bytes,
        0,
        Math.min(SingleObject.HEADER_BYTES, bytes.length),
        SingleObject.header(fingerprint),
        0,
        SingleObject.HEADER_BYTES);
  }

  private interface Writing {
    void to(Encoder out) throws IOException;
  }

  private byte[] encode(Writing writing) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(INITIAL_BYTES);
    bytes.writeBytes(SingleObject.header(fingerprint));
    Encoder encoder = ENCODERS.binaryEncoder(bytes, null);
    try {
      writing.to(encoder);
      encoder.flush();
    } catch (IOException e) {
      throw new IllegalStateException("expected memory to take bytes", e);
    }
    if (bytes.size() > maxBytes) {
      throw new IllegalArgumentException(
          "expected at most "
              + maxBytes
              + " bytes, but this "
              + type.getSimpleName()
              + " has "
              + bytes.size());
    }
    return bytes.toByteArray();
  }

  /** Decodes a payload that was written under {@code writer}, current or older. */
  Object decode(byte[] bytes, Schema writer) throws InvalidRecordException {
    if (bytes.length > maxBytes) {
      throw invalid(
          InvalidRecordException.Code.TOO_LARGE,
          "expected at most " + maxBytes + " bytes, but there are " + bytes.length,
          null);
    }
    try {
      return writer.equals(schema)
          ? read(bytes, SingleObject.HEADER_BYTES)
          : read(upgraded(bytes, writer), 0);
    } catch (EOFException e) {
      throw invalid(InvalidRecordException.Code.TRUNCATED, "the bytes end too early", e);
    } catch (SystemLimitException | UnsupportedOperationException e) {
      // The second is for what no array of this virtual machine could hold.
      throw invalid(InvalidRecordException.Code.TOO_LARGE, String.valueOf(e.getMessage()), e);
    } catch (IOException | AvroRuntimeException | IndexOutOfBoundsException e) {
      // Avro reports malformed numbers, lengths and positions by all of these.
      throw invalid(InvalidRecordException.Code.UNDECODABLE, String.valueOf(e.getMessage()), e);
    }
  }

  private Object read(byte[] bytes, int offset) throws IOException, InvalidRecordException {
    BinaryDecoder decoder =
        DecoderFactory.get().binaryDecoder(bytes, offset, bytes.length - offset, null);
    Object value = Objects.requireNonNull(shape.read(decoder));
    requireEnd(decoder);
    return value;
  }

  /** Rewrites old bytes under the current schema; Avro fills in what is new. */
  private byte[] upgraded(byte[] bytes, Schema writer) throws IOException, InvalidRecordException {
    int offset = SingleObject.HEADER_BYTES;
    BinaryDecoder decoder =
        DecoderFactory.get().binaryDecoder(bytes, offset, bytes.length - offset, null);
    Object generic = new GenericDatumReader<>(writer, schema).read(null, decoder);
    requireEnd(decoder);
    ByteArrayOutputStream current = new ByteArrayOutputStream(bytes.length + INITIAL_BYTES);
    Encoder encoder = EncoderFactory.get().directBinaryEncoder(current, null);
    new GenericDatumWriter<>(schema).write(generic, encoder);
    encoder.flush();
    return current.toByteArray();
  }

  private void requireEnd(BinaryDecoder decoder) throws IOException, InvalidRecordException {
    if (!decoder.isEnd()) {
      throw invalid(
          InvalidRecordException.Code.UNDECODABLE, "the bytes go on after the record", null);
    }
  }

  private InvalidRecordException invalid(
      InvalidRecordException.Code code, String message, @Nullable Throwable cause) {
    return new InvalidRecordException(code, type.getSimpleName() + ": " + message, cause);
  }
}
