package io.turnkeeper.streams.rejected;

import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** A record's place in the rejected topic, written {@code PARTITION:OFFSET}. */
record RejectedId(int partition, long offset) {
  /** Reads what {@link #toString} writes. */
  static final class Converter implements ITypeConverter<RejectedId> {
    @Override
    public RejectedId convert(String text) {
      String[] parts = text.split(":", -1);
      try {
        if (parts.length == 2) {
          return new RejectedId(
              Integer.parseUnsignedInt(parts[0]), Long.parseUnsignedLong(parts[1]));
        }
      } catch (NumberFormatException e) {
        throw (TypeConversionException) refused(text).initCause(e);
      }
      throw refused(text);
    }

    private static TypeConversionException refused(String text) {
      return new TypeConversionException(
          "expected PARTITION:OFFSET as 'rejected list' prints it, but it is '" + text + "'");
    }
  }

  @Override
  public String toString() {
    return partition + ":" + offset;
  }
}
