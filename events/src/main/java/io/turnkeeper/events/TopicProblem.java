package io.turnkeeper.events;

/**
 * Something about a topic that the application cannot run on.
 *
 * @param topic its name
 * @param problem what was expected and what is
 * @param remedy the command that mends it, or the setting to change
 */
public record TopicProblem(String topic, String problem, String remedy) {
  @Override
  public String toString() {
    return topic + ": " + problem + "; mend it with: " + remedy;
  }
}
