package io.turnkeeper.streams.backtest;

import io.turnkeeper.core.Event;
import io.turnkeeper.core.partition.PartitionEvent;
import io.turnkeeper.streams.MemoryPartition;

/** One partition that is run again, with its times of looking at what is due. */
final class Station<S> {
  private static final long LOOK_MILLIS = 100;

  private final MemoryPartition<S> partition;
  private final Downtime downtime;
  private long tickedMillis;

  Station(Recording.Part<S> part) {
    this.partition = part.before();
    this.downtime = part.downtime();
  }

  MemoryPartition<S> partition() {
    return partition;
  }

  /** When it takes what is sent to it at that time. */
  long up(long atMillis) {
    return downtime.up(atMillis);
  }

  /** When it ticks next if nothing comes before. */
  long nextTickMillis() {
    long due = Math.max(partition.nextDueMillis(), tickedMillis + LOOK_MILLIS);
    return up(Math.min(due, partition.state().atMillis() + PartitionEvent.Tick.MAX_APART_MILLIS));
  }

  MemoryPartition.Taken take(long atMillis, Event event) {
    if (event instanceof PartitionEvent.Tick) {
      tickedMillis = atMillis;
    }
    return partition.take(atMillis, event);
  }
}
