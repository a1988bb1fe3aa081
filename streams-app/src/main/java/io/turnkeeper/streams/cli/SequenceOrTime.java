package io.turnkeeper.streams.cli;

import java.time.DateTimeException;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * A place in a journal; one of both is given.
 *
 * @param sequence an entry's number
 * @param millis a time, in milliseconds since 1970
 */
public record SequenceOrTime(@Nullable Long sequence, @Nullable Long millis) {
  private static final Pattern DIGITS = Pattern.compile("[0-9]+");

  /** Reads {@code 1234} or {@code 2026-01-31T12:00:00Z}. */
  public static final class Converter implements ITypeConverter<SequenceOrTime> {
    @Override
    public SequenceOrTime convert(String text) {
      try {
        return DIGITS.matcher(text).matches()
            ? new SequenceOrTime(Long.parseLong(text), null)
            : new SequenceOrTime(null, Time.millis(text));
      } catch (NumberFormatException | DateTimeException | ArithmeticException e) {
        throw (TypeConversionException)
            new TypeConversionException(
                    "expected a sequence or a time like 2026-01-31T12:00:00Z, but it is '"
                        + text
                        + "'")
                .initCause(e);
      }
    }
  }
}
