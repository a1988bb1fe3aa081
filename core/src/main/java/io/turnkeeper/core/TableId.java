package io.turnkeeper.core;

import java.nio.charset.StandardCharsets;
import java.text.Normalizer;

/**
 * The name of one table under maintenance: 1 to 255 bytes of UTF-8 in NFC, without control
 * characters, empty path segments, {@code .} or {@code ..}.
 */
public record TableId(String value) implements Comparable<TableId> {
  /** The reserved id under which the default policy travels. */
  public static final TableId DEFAULT = new TableId("_default");

  private static final int MAX_BYTES = 255;

  /**
   * Checks the rules above.
   *
   * @throws IllegalArgumentException saying which rule is broken
   */
  public TableId {
    if (!Normalizer.isNormalized(value, Normalizer.Form.NFC)) {
      throw new IllegalArgumentException("expected a table id in NFC, but '" + value + "' is not");
    }
    int bytes = value.getBytes(StandardCharsets.UTF_8).length;
    if (bytes < 1 || bytes > MAX_BYTES) {
      throw new IllegalArgumentException(
          "expected a table id of 1 to 255 bytes, but it has " + bytes);
    }
    if (value.chars().anyMatch(Character::isISOControl)) {
      throw new IllegalArgumentException("expected a table id without control characters");
    }
    for (String segment : value.split("/", -1)) {
      if (segment.isEmpty() || segment.equals(".") || segment.equals("..")) {
        throw new IllegalArgumentException(
            "expected no empty, '.' or '..' segment in a table id, but it is '" + value + "'");
      }
    }
  }

  /** Reserved ids start with an underscore and name no table. */
  public boolean isReserved() {
    return value.startsWith("_");
  }

  @Override
  public int compareTo(TableId other) {
    return value.compareTo(other.value);
  }

  @Override
  public String toString() {
    return value;
  }
}
