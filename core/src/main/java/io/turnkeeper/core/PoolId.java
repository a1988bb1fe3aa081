package io.turnkeeper.core;

/** The name of a group of executors that share work. */
public record PoolId(String value) implements Comparable<PoolId> {
  /**
   * Accepts letters, digits, dot, dash and underscore, 1 to 128 of them.
   *
   * @throws IllegalArgumentException for any other value
   */
  public PoolId {
    if (!Names.isPlain(value)) {
      throw new IllegalArgumentException(
          "expected a pool id of 1 to 128 letters, digits, '.', '-' or '_', but it is '"
              + value
              + "'");
    }
  }

  @Override
  public int compareTo(PoolId other) {
    return value.compareTo(other.value);
  }

  @Override
  public String toString() {
    return value;
  }
}
