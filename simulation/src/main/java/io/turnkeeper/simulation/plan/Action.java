package io.turnkeeper.simulation.plan;

/**
 * One thing the outside does.
 *
 * @param index its place in the whole plan, by which a trace names it
 * @param atMillis when, since the start of the life
 * @param who chooses the table or executor
 * @param which chooses a shard, point, topic or document
 * @param amount chooses how much or how long
 */
public record Action(int index, long atMillis, ActionKind kind, int who, int which, long amount) {
  /** The action for people. */
  @Override
  public String toString() {
    return String.format(
        "#%d at %.3f s: %s who=%d which=%d amount=%d",
        index, atMillis / 1_000.0, kind, who, which, amount);
  }
}
