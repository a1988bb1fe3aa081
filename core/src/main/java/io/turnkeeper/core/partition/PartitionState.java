package io.turnkeeper.core.partition;

import io.turnkeeper.core.Event;
import io.turnkeeper.core.FrozenMap;
import io.turnkeeper.core.Now;
import io.turnkeeper.core.Require;
import io.turnkeeper.core.TableId;
import io.turnkeeper.core.policy.PolicyDocument;
import io.turnkeeper.core.table.PolicyEvent;
import java.util.SortedMap;

/**
 * What a partition keeps besides its tables or pools.
 *
 * @param sequence the sequence of the last journal entry
 * @param atMillis the clock of the last journal entry
 * @param observedMillis time during which the task was really reading
 * @param settings the process settings that hold
 * @param defaults the default policy document that holds
 * @param defaultsVersion rises with every change of the default policy, 0 before the first
 * @param gapAtMillis when input records were last found to be missing, 0 if never; every table is
 *     due to be looked at since then
 * @param nextOffsets per input topic and partition, as {@code topic-partition}, what to read next
 * @param topicIds the ids of the input topics that these offsets are of, by name
 */
public record PartitionState(
    long sequence,
    long atMillis,
    long observedMillis,
    Settings settings,
    PolicyDocument defaults,
    long defaultsVersion,
    long gapAtMillis,
    SortedMap<String, Long> nextOffsets,
    SortedMap<String, String> topicIds) {
  /** The most observed time that one entry adds, in milliseconds. */
  static final long MAX_STEP_MILLIS = 30_000;

  /** Before the first entry. */
  public static final PartitionState START =
      new PartitionState(
          0, 0, 0, Settings.DEFAULT, PolicyDocument.EMPTY, 0, 0, FrozenMap.of(), FrozenMap.of());

  public PartitionState {
    Require.count("sequence", sequence);
    Require.time("atMillis", atMillis);
    Require.count("observedMillis", observedMillis);
    Require.count("defaultsVersion", defaultsVersion);
    Require.time("gapAtMillis", gapAtMillis);
    nextOffsets = FrozenMap.copyOf(nextOffsets);
    topicIds = FrozenMap.copyOf(topicIds);
  }

  public Now now() {
    return new Now(atMillis, observedMillis);
  }

  public PartitionProgress progress() {
    return new PartitionProgress(sequence, atMillis, observedMillis, nextOffsets);
  }

  /** The state that is further, or less far, and otherwise the same. */
  public PartitionState at(PartitionProgress progress) {
    return new PartitionState(
        progress.sequence(),
        progress.atMillis(),
        progress.observedMillis(),
        settings,
        defaults,
        defaultsVersion,
        gapAtMillis,
        progress.nextOffsets(),
        topicIds);
  }

  /** Whether nothing but the progress differs. */
  public boolean differsInProgressOnly(PartitionState other) {
    return settings.equals(other.settings)
        && defaults.equals(other.defaults)
        && defaultsVersion == other.defaultsVersion
        && gapAtMillis == other.gapAtMillis
        && topicIds.equals(other.topicIds);
  }

  /** Whether the input at that offset was folded already. */
  public boolean hasTaken(Source source) {
    return source.offset() < nextOffset(source.topic(), source.partition());
  }

  /** What is to be read next of an input, 0 if nothing was folded of it. */
  public long nextOffset(String topic, int partition) {
    return nextOffsets.getOrDefault(input(topic, partition), 0L);
  }

  /** Whether what was read under that name is of this topic, as far as is known. */
  public boolean isOf(String topic, String topicId) {
    return topicIds.getOrDefault(topic, topicId).equals(topicId);
  }

  /**
   * The state after one more entry.
   *
   * @throws IllegalStateException if the entry is not the next one
   */
  public PartitionState after(JournalEntry entry) {
    if (entry.sequence() != sequence + 1 || entry.atMillis() < atMillis) {
      throw new IllegalStateException(
          "expected entry " + (sequence + 1) + " not before " + atMillis + ", but it is " + entry);
    }
    Event event = entry.event();
    SortedMap<String, Long> offsets = nextOffsets;
    Source source = entry.source();
    if (source != null) {
      offsets =
          FrozenMap.copyOf(nextOffsets)
              .with(input(source.topic(), source.partition()), nextAfter(event, source));
    }
    return new PartitionState(
        entry.sequence(),
        entry.atMillis(),
        observedMillis + observedStep(entry),
        event instanceof PartitionEvent.SettingsApplied applied ? applied.settings() : settings,
        defaultsAfter(event),
        isOfDefaults(event) ? defaultsVersion + 1 : defaultsVersion,
        event instanceof PartitionEvent.SourceGap ? entry.atMillis() : gapAtMillis,
        offsets,
        event instanceof PartitionEvent.SettingsApplied applied ? applied.topicIds() : topicIds);
  }

  /** Time nobody was looking does not count: not before a start, not across a long gap. */
  private long observedStep(JournalEntry entry) {
    boolean start =
        entry.event() instanceof PartitionEvent.SettingsApplied
            || entry.event() instanceof PartitionEvent.ClockGap;
    long step = entry.atMillis() - atMillis;
    return start || sequence == 0 || step > MAX_STEP_MILLIS ? 0 : step;
  }

  private PolicyDocument defaultsAfter(Event event) {
    if (!isOfDefaults(event)) {
      return defaults;
    }
    return event instanceof PolicyEvent.PolicySet set ? set.document() : PolicyDocument.EMPTY;
  }

  private static boolean isOfDefaults(Event event) {
    return (event instanceof PolicyEvent.PolicySet || event instanceof PolicyEvent.PolicyCleared)
        && ((PolicyEvent) event).table().equals(TableId.DEFAULT);
  }

  /** What is missing is passed over; a topic that was made anew begins with its first record. */
  private static long nextAfter(Event event, Source source) {
    return event instanceof PartitionEvent.SourceGap gap ? gap.toOffset() : source.offset() + 1;
  }

  private static String input(String topic, int partition) {
    return topic + "-" + partition;
  }
}
