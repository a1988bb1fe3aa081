package io.turnkeeper.streams.cli;

import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** An option that is a text for people, which must say something. */
public final class Words implements ITypeConverter<String> {
  @Override
  public String convert(String text) {
    if (text.isBlank()) {
      throw new TypeConversionException("expected a text, but it is empty");
    }
    return text;
  }
}
