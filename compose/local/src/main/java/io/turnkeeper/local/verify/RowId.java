package io.turnkeeper.local.verify;

import java.nio.charset.StandardCharsets;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;

/** The unique key of the demo's rows: a writer's prefix, a dash and a number of twelve digits. */
public final class RowId {
  public static final String COLUMN = "id";
  public static final Field FIELD =
      new Field(COLUMN, FieldType.notNullable(ArrowType.Utf8.INSTANCE), null);

  private static final int DIGITS = 12;

  private RowId() {}

  public static int length(String prefix) {
    return prefix.length() + 1 + DIGITS;
  }

  public static String of(String prefix, long number) {
    return new String(bytes(prefix, number), StandardCharsets.US_ASCII);
  }

  /** The id as bytes, for {@link #write} to go on with. */
  public static byte[] bytes(String prefix, long number) {
    byte[] id = (prefix + "-" + "0".repeat(DIGITS)).getBytes(StandardCharsets.US_ASCII);
    write(number, id);
    return id;
  }

  /** Replaces the number in {@code id}. */
  public static void write(long number, byte[] id) {
    long rest = number;
    for (int i = id.length - 1; i >= id.length - DIGITS; i--) {
      id[i] = (byte) ('0' + rest % 10);
      rest /= 10;
    }
  }

  /** The number at the end of an id, or -1 if this is none. */
  public static long number(byte[] id) {
    int start = id.length - DIGITS;
    if (start < 2 || id[start - 1] != '-') {
      return -1;
    }
    long number = 0;
    for (int i = start; i < id.length; i++) {
      int digit = id[i] - '0';
      if (digit < 0 || digit > 9) {
        return -1;
      }
      number = number * 10 + digit;
    }
    return number;
  }

  /** What stands before the number of an id that {@link #number} accepts. */
  public static String prefix(byte[] id) {
    return new String(id, 0, id.length - DIGITS - 1, StandardCharsets.US_ASCII);
  }
}
