package io.turnkeeper.streams;

/** A setting that cannot be used; the message names key and value. */
public final class ConfigException extends Exception {
  public ConfigException(String message) {
    super(message);
  }

  /** A table that nobody ever said anything about; every command tells it in these words. */
  public static ConfigException noSuchTable(Object table) {
    return new ConfigException("NO_SUCH_TABLE: nothing is known of table " + table);
  }

  public ConfigException(String message, Throwable cause) {
    super(message, cause);
  }
}
