package io.turnkeeper.streams.cli;

import java.time.DateTimeException;
import java.time.Instant;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** An argument that is a time, in milliseconds since 1970. */
public final class Time implements ITypeConverter<Long> {
  @Override
  public Long convert(String text) {
    try {
      return millis(text);
    } catch (DateTimeException | ArithmeticException e) {
      throw (TypeConversionException)
          new TypeConversionException(
                  "expected a time like 2026-01-31T12:00:00Z, but it is '" + text + "'")
              .initCause(e);
    }
  }

  /** Java knows times that are too far away for milliseconds in a {@code long}. */
  static long millis(String text) {
    return Instant.parse(text).toEpochMilli();
  }
}
