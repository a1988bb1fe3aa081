package io.turnkeeper.local;

/** Something the user gave or the machine lacks; the message says what to change. Exit code 2. */
public final class ConfigException extends RuntimeException {
  public ConfigException(String message) {
    super(message);
  }

  public ConfigException(String message, Throwable cause) {
    super(message, cause);
  }
}
