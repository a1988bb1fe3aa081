package io.turnkeeper.simulation.world;

import io.turnkeeper.core.Event;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Carries events to topics. What one sender puts on one topic arrives in that order; nothing else
 * is in order. A topic keeps what arrived, as a log that is read by offset.
 */
public final class Network {
  private static final long USUAL_DELAY_MILLIS = 40;

  private final VirtualClock clock;
  private final Dice dice;
  private final Map<Topic, List<Event>> logs = new EnumMap<>(Topic.class);
  private final Map<Topic, Runnable> readers = new EnumMap<>(Topic.class);
  private final Map<Topic, Long> slowUntil = new EnumMap<>(Topic.class);
  private final Map<String, Long> cutOffUntil = new HashMap<>();
  private final Map<String, Long> lostFrom = new HashMap<>();
  private final Map<String, Long> lastArrival = new HashMap<>();

  public Network(VirtualClock clock, Dice dice) {
    this.clock = clock;
    this.dice = dice;
    for (Topic topic : Topic.values()) {
      logs.put(topic, new ArrayList<>());
      readers.put(topic, () -> {});
    }
  }

  public void onArrival(Topic topic, Runnable reader) {
    readers.put(topic, reader);
  }

  /** Sends an event; if the sender dies before it has left, it is lost. */
  public void send(String sender, Event event) {
    Topic topic = Topic.of(event);
    String channel = sender + ">" + topic;
    long now = clock.nowMillis();
    long leaves = Math.max(now, cutOffUntil.getOrDefault(sender, now));
    long slow = slowUntil.getOrDefault(topic, 0L) > now ? 100 * USUAL_DELAY_MILLIS : 0;
    long at =
        Math.max(
            leaves + dice.below(USUAL_DELAY_MILLIS + slow), lastArrival.getOrDefault(channel, 0L));
    lastArrival.put(channel, at);
    clock.at(
        at,
        () -> {
          if (at < lostFrom.getOrDefault(sender, Long.MAX_VALUE)) {
            append(topic, event);
          }
        });
  }

  /** Writes at once, as a committed transaction does. */
  public void append(Topic topic, Event event) {
    log(topic).add(event);
    readers.getOrDefault(topic, () -> {}).run();
  }

  public List<Event> log(Topic topic) {
    List<Event> log = logs.get(topic);
    if (log == null) {
      throw new IllegalStateException("expected a log of " + topic);
    }
    return log;
  }

  /** What the sender has not sent yet is lost, but for what leaves at this very moment. */
  public void die(String sender) {
    lostFrom.put(sender, clock.nowMillis() + dice.below(USUAL_DELAY_MILLIS));
  }

  /** Nothing of the sender arrives for a while. */
  public void cutOff(String sender, long millis) {
    cutOffUntil.put(sender, clock.nowMillis() + millis);
  }

  /** What is sent on the topic takes long for a while. */
  public void slow(Topic topic, long millis) {
    slowUntil.put(topic, clock.nowMillis() + millis);
  }

  /** Some of the last records of the topic come once more. */
  public void repeat(Topic topic, int most) {
    List<Event> log = log(topic);
    int from = Math.max(0, log.size() - most);
    List<Event> again = List.copyOf(log.subList(from, log.size()));
    long delay = dice.below(5_000);
    again.forEach(event -> clock.after(delay, () -> append(topic, event)));
  }
}
