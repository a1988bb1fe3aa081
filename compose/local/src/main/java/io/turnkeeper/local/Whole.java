package io.turnkeeper.local;

import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** An option that is a whole number between two bounds. */
public abstract class Whole<T extends Number> implements ITypeConverter<T> {
  private final long least;
  private final long most;

  private Whole(long least, long most) {
    this.least = least;
    this.most = most;
  }

  abstract T of(long number);

  @Override
  public T convert(String text) {
    try {
      long number = Long.parseLong(text);
      if (number >= least && number <= most) {
        return of(number);
      }
    } catch (NumberFormatException e) {
      throw (TypeConversionException) refused(text).initCause(e);
    }
    throw refused(text);
  }

  private TypeConversionException refused(String text) {
    return new TypeConversionException(
        "expected a number from " + least + " to " + most + ", but it is '" + text + "'");
  }

  /** How many of something, at least one. */
  public static final class Count extends Whole<Integer> {
    public Count() {
      super(1, Integer.MAX_VALUE);
    }

    @Override
    Integer of(long number) {
      return (int) number;
    }
  }

  /** How many partitions; what is created in one request is as many for a dozen topics. */
  public static final class Partitions extends Whole<Integer> {
    private static final int MOST = 512;

    public Partitions() {
      super(1, MOST);
    }

    @Override
    Integer of(long number) {
      return (int) number;
    }
  }

  /** How many rows, or none. */
  public static final class Rows extends Whole<Long> {
    public Rows() {
      super(0, Long.MAX_VALUE);
    }

    @Override
    Long of(long number) {
      return number;
    }
  }

  /** A port, or 0 for any. */
  public static final class Port extends Whole<Integer> {
    public Port() {
      super(Ports.ANY, Ports.HIGHEST_POSSIBLE);
    }

    @Override
    Integer of(long number) {
      return (int) number;
    }
  }

  /** How many replicas Kafka keeps of a topic. */
  public static final class Replicas extends Whole<Short> {
    public Replicas() {
      super(1, Short.MAX_VALUE);
    }

    @Override
    Short of(long number) {
      return (short) number;
    }
  }
}
