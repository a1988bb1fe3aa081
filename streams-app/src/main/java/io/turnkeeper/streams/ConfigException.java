package io.turnkeeper.streams;

/** A setting that cannot be used; the message names key and value. */
public final class ConfigException extends Exception {
  public ConfigException(String message) {
    super(message);
  }

  public ConfigException(String message, Throwable cause) {
    super(message, cause);
  }
}
