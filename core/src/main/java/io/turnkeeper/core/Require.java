package io.turnkeeper.core;

/** The bounds every number and text of an event keeps, checked where a record is made. */
public final class Require {
  /** The largest integer that every JSON reader keeps exactly, 2^53. */
  public static final long MAX_NUMBER = 1L << 53;

  /** The last accepted time, 2099-01-01T00:00:00Z, in milliseconds. */
  public static final long MAX_TIME_MILLIS = 4_070_908_800_000L;

  /** The longest free text (messages, reasons, paths) in UTF-16 units. */
  public static final int MAX_TEXT = 4_096;

  private Require() {}

  /**
   * Returns {@code value} if it lies in [0, 2^53].
   *
   * @throws IllegalArgumentException naming the field otherwise
   */
  public static long count(String field, long value) {
    if (value < 0 || value > MAX_NUMBER) {
      throw new IllegalArgumentException("expected " + field + " in [0, 2^53], but it is " + value);
    }
    return value;
  }

  /**
   * Returns {@code value} if it is at least 1 and at most 2^53.
   *
   * @throws IllegalArgumentException naming the field otherwise
   */
  public static long positive(String field, long value) {
    if (value == 0) {
      throw new IllegalArgumentException("expected " + field + " >= 1, but it is 0");
    }
    return count(field, value);
  }

  /**
   * Returns {@code millis} if it lies between 1970 and 2099.
   *
   * @throws IllegalArgumentException naming the field otherwise
   */
  public static long time(String field, long millis) {
    if (millis < 0 || millis > MAX_TIME_MILLIS) {
      throw new IllegalArgumentException(
          "expected " + field + " between 1970 and 2099, but it is " + millis + " ms");
    }
    return millis;
  }

  /**
   * Returns {@code text} if it is not longer than {@link #MAX_TEXT}.
   *
   * @throws IllegalArgumentException naming the field otherwise
   */
  public static String text(String field, String text) {
    if (text.length() > MAX_TEXT) {
      throw new IllegalArgumentException(
          "expected "
              + field
              + " of at most "
              + MAX_TEXT
              + " characters, but it has "
              + text.length());
    }
    return text;
  }

  /** Cuts {@code text} to {@link #MAX_TEXT}, for messages that come from libraries. */
  public static String shortened(String text) {
    return shortened(text, MAX_TEXT);
  }

  /** Cuts {@code text} to {@code most} UTF-16 units, never in the middle of a character. */
  public static String shortened(String text, int most) {
    if (text.length() <= most) {
      return text;
    }
    int end = Character.isHighSurrogate(text.charAt(most - 2)) ? most - 2 : most - 1;
    return text.substring(0, end) + "…";
  }
}
