package io.turnkeeper.streams.cli;

import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** A whole number from 1 on, as generations and sequences are counted. */
public final class PositiveNumber implements ITypeConverter<Long> {
  @Override
  public Long convert(String text) {
    long number = parsed(text);
    if (number <= 0) {
      throw refused(text);
    }
    return number;
  }

  private static long parsed(String text) {
    try {
      return Long.parseLong(text);
    } catch (NumberFormatException e) {
      throw refused(text);
    }
  }

  private static TypeConversionException refused(String text) {
    return new TypeConversionException(
        "expected a whole number from 1 on, but it is '" + text + "'");
  }
}
