package io.turnkeeper.core;

/** The one shape of a plain name: safe in a path, a Kafka key and a metric label. */
final class Names {
  private static final int MAX_LENGTH = 128;

  private Names() {}

  static boolean isPlain(String value) {
    return !value.isEmpty()
        && value.length() <= MAX_LENGTH
        && !value.equals(".")
        && !value.equals("..")
        && value.chars().allMatch(Names::isPlainCharacter);
  }

  private static boolean isPlainCharacter(int c) {
    return (c >= 'a' && c <= 'z')
        || (c >= 'A' && c <= 'Z')
        || (c >= '0' && c <= '9')
        || c == '.'
        || c == '-'
        || c == '_';
  }
}
