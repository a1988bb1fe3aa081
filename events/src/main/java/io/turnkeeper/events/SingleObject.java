package io.turnkeeper.events;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** The header of Avro's single-object encoding: the marker C3 01, then the fingerprint. */
final class SingleObject {
  static final int HEADER_BYTES = 10;

  private static final int MARKER_BYTES = 2;
  private static final byte MARKER_0 = (byte) 0xC3;
  private static final byte MARKER_1 = 0x01;

  private SingleObject() {}

  static byte[] header(long fingerprint) {
    return ByteBuffer.allocate(HEADER_BYTES)
        .order(ByteOrder.LITTLE_ENDIAN)
        .put(MARKER_0)
        .put(MARKER_1)
        .putLong(fingerprint)
        .array();
  }

  static long fingerprint(byte[] bytes) throws InvalidRecordException {
    if (bytes.length < MARKER_BYTES || bytes[0] != MARKER_0 || bytes[1] != MARKER_1) {
      throw new InvalidRecordException(
          InvalidRecordException.Code.NOT_SINGLE_OBJECT,
          "expected Avro single-object encoding, which begins with C3 01, but " + beginning(bytes));
    }
    if (bytes.length < HEADER_BYTES) {
      throw new InvalidRecordException(
          InvalidRecordException.Code.TRUNCATED,
          "expected a header of 10 bytes, but there are " + bytes.length);
    }
    return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).getLong(MARKER_BYTES);
  }

  private static String beginning(byte[] bytes) {
    return bytes.length < MARKER_BYTES
        ? "there are " + bytes.length + " bytes"
        : String.format("it begins with %02X %02X", bytes[0], bytes[1]);
  }
}
