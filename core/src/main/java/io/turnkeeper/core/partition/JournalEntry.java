package io.turnkeeper.core.partition;

import io.turnkeeper.core.Event;
import io.turnkeeper.core.Require;
import org.jspecify.annotations.Nullable;

/**
 * One line of a partition's journal: what was folded, in which order, at which time.
 *
 * @param sequence rises by one within the partition, from 1
 * @param atMillis the task's clock, milliseconds since 1970; never goes back
 * @param source where the event was read, or where missing input should have been; null for what
 *     the task found out itself
 */
public record JournalEntry(long sequence, long atMillis, @Nullable Source source, Event event) {
  public JournalEntry {
    Require.positive("sequence", sequence);
    Require.time("atMillis", atMillis);
  }
}
