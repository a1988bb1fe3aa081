package io.turnkeeper.core;

/** One writer's write-ahead log of a table. */
public record ShardId(String value) implements Comparable<ShardId> {
  /**
   * Accepts letters, digits, dot, dash and underscore, 1 to 128 of them.
   *
   * @throws IllegalArgumentException for any other value
   */
  public ShardId {
    if (!Names.isPlain(value)) {
      throw new IllegalArgumentException(
          "expected a shard id of 1 to 128 letters, digits, '.', '-' or '_', but it is '"
              + value
              + "'");
    }
  }

  @Override
  public int compareTo(ShardId other) {
    return value.compareTo(other.value);
  }

  @Override
  public String toString() {
    return value;
  }
}
