package io.turnkeeper.events;

import org.apache.avro.SystemLimitException;
import org.apache.avro.util.ClassSecurityValidator;

/**
 * What Avro may allocate and instantiate in this process. Avro keeps these settings for the whole
 * JVM and reads them when its classes load, so they must be applied before anything is decoded;
 * {@link RecordCodec} does it.
 */
public final class AvroLimits {
  /** The longest string, in bytes of UTF-8. */
  public static final int MAX_STRING_BYTES = 64 * 1024;

  /** The longest byte array. */
  public static final int MAX_BYTES_LENGTH = 1024 * 1024;

  /** The most elements of one list or map. */
  public static final int MAX_COLLECTION_ITEMS = 1_000_000;

  /** The largest event, in bytes: below the default request size of every Kafka client. */
  public static final int MAX_EVENT_BYTES = 900_000;

  /** The largest journal entry, decision or state, in bytes; topics are created to take it. */
  public static final int MAX_RECORD_BYTES = 8 * 1024 * 1024;

  private static final String GENERATED_PACKAGE = "io.turnkeeper.schemas";

  static {
    System.setProperty(
        SystemLimitException.MAX_STRING_LENGTH_PROPERTY, String.valueOf(MAX_STRING_BYTES));
    System.setProperty(
        SystemLimitException.MAX_BYTES_LENGTH_PROPERTY, String.valueOf(MAX_BYTES_LENGTH));
    System.setProperty(
        SystemLimitException.MAX_COLLECTION_LENGTH_PROPERTY, String.valueOf(MAX_COLLECTION_ITEMS));
    requireEffective();
    ClassSecurityValidator.setGlobal(
        ClassSecurityValidator.composite(
            ClassSecurityValidator.getGlobal(),
            type -> type.getPackageName().equals(GENERATED_PACKAGE)));
  }

  private AvroLimits() {}

  /** Makes sure that the limits hold; calling it again does nothing. */
  public static void apply() {
    // The static initialiser did it.
  }

  /** Avro reads the properties once; if it was used earlier with larger limits, they stay. */
  private static void requireEffective() {
    try {
      SystemLimitException.checkMaxStringLength(MAX_STRING_BYTES + 1L);
    } catch (SystemLimitException expected) {
      return;
    }
    throw new IllegalStateException(
        "expected Avro's limits to be set before its first use, but it decoded something earlier;"
            + " call AvroLimits.apply() first thing in main");
  }
}
