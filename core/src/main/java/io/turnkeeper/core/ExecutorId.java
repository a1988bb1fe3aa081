package io.turnkeeper.core;

/** The name of one worker process, the same across its restarts. */
public record ExecutorId(String value) implements Comparable<ExecutorId> {
  /**
   * Accepts letters, digits, dot, dash and underscore, 1 to 128 of them.
   *
   * @throws IllegalArgumentException for any other value
   */
  public ExecutorId {
    if (!Names.isPlain(value)) {
      throw new IllegalArgumentException(
          "expected an executor id of 1 to 128 letters, digits, '.', '-' or '_', but it is '"
              + value
              + "'");
    }
  }

  @Override
  public int compareTo(ExecutorId other) {
    return value.compareTo(other.value);
  }

  @Override
  public String toString() {
    return value;
  }
}
