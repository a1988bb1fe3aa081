package io.turnkeeper.core.partition;

import io.turnkeeper.core.Event;
import io.turnkeeper.core.FrozenMap;
import io.turnkeeper.core.Require;
import java.util.SortedMap;

/** A fact about a partition as a whole. */
public sealed interface PartitionEvent extends Event {

  /** Time passed; whatever is due is decided. */
  record Tick() implements PartitionEvent {
    /** One is written at least this often, so that the journal says that somebody was there. */
    public static final long MAX_APART_MILLIS = 300_000;
  }

  /** The wall clock was found elsewhere when the task started; positive is ahead. */
  record ClockGap(long byMillis) implements PartitionEvent {}

  /**
   * Records of an input topic were gone before they could be read.
   *
   * @param fromOffset the first missing one
   * @param toOffset the first that is there again; before {@code fromOffset} if the topic ended
   *     earlier than it had been read, so that its records are taken anew
   */
  record SourceGap(String topic, long fromOffset, long toOffset) implements PartitionEvent {
    public SourceGap {
      Require.text("topic", topic);
      Require.count("fromOffset", fromOffset);
      Require.count("toOffset", toOffset);
    }
  }

  /**
   * What a task started with.
   *
   * @param settings the process settings that rules read, as they are from here on
   * @param topicIds the id each input topic has, by its name; one that was deleted and made anew
   *     has another
   */
  record SettingsApplied(Settings settings, SortedMap<String, String> topicIds)
      implements PartitionEvent {
    public SettingsApplied {
      topicIds = FrozenMap.copyOf(topicIds);
    }
  }
}
