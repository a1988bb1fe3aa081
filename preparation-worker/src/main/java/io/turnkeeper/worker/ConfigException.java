package io.turnkeeper.worker;

/** A setting that cannot be used; it names the key and the value. */
public final class ConfigException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public ConfigException(String key, String value, String expected) {
    super(message(key, value, expected));
  }

  public ConfigException(String key, String value, String expected, Throwable cause) {
    super(message(key, value, expected), cause);
  }

  private static String message(String key, String value, String expected) {
    return "expected " + expected + " for '" + key + "', but it is '" + value + "'";
  }
}
