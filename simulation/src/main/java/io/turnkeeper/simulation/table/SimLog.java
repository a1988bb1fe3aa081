package io.turnkeeper.simulation.table;

import io.turnkeeper.core.ShardId;
import io.turnkeeper.core.table.DemandEvent.SealSource;
import io.turnkeeper.core.table.DemandEvent.WalSealed;
import java.util.Collection;
import java.util.SortedSet;
import java.util.TreeSet;

/** One shard's log: its generations, some of which may be unreadable or gone. */
public final class SimLog {
  private static final long BYTES = 4L << 20;
  private static final long ROWS = 10;

  private final ShardId shard;
  private final SortedSet<Long> unreadable = new TreeSet<>();
  private final SortedSet<Long> gone = new TreeSet<>();
  private final SortedSet<Long> skipped = new TreeSet<>();
  private long epoch = 1;
  private long sealed;
  private long flushedAtMillis;

  SimLog(ShardId shard) {
    this.shard = shard;
  }

  public ShardId shard() {
    return shard;
  }

  public long sealed() {
    return sealed;
  }

  /** Seals the next generation. */
  public void seal(long atMillis) {
    sealed++;
    flushedAtMillis = atMillis;
  }

  /** A new writer opens the shard; numbers go on. */
  public void reopened() {
    epoch++;
  }

  /** The newest generation cannot be read. */
  public void spoilNewest() {
    unreadable.add(sealed);
  }

  /** The newest generation is gone. */
  public void loseNewest() {
    gone.add(sealed);
  }

  /**
   * The lowest bad generation from {@code first} to {@code last} but for some, 0 if all are good.
   */
  public long firstBad(long first, long last, Collection<Long> leftOut) {
    SortedSet<Long> bad = new TreeSet<>(unreadable.subSet(first, last + 1));
    bad.addAll(gone.subSet(first, last + 1));
    bad.removeAll(leftOut);
    return bad.isEmpty() ? 0 : bad.first();
  }

  /** An operator leaves a generation out. */
  public void skip(long generation) {
    skipped.add(generation);
  }

  public boolean isSkipped(long generation) {
    return skipped.contains(generation);
  }

  /** The end of the gap-free prefix, which is all that a listing shows. */
  public long listedThrough() {
    SortedSet<Long> holes = new TreeSet<>(gone);
    holes.removeAll(skipped);
    return holes.isEmpty() ? sealed : holes.first() - 1;
  }

  public WalSealed event(SimTable table, long through, SealSource source) {
    return new WalSealed(
        table.id(),
        table.incarnation(),
        shard,
        epoch,
        through,
        through * BYTES,
        through * ROWS,
        flushedAtMillis,
        source);
  }

  /** The log for people. */
  @Override
  public String toString() {
    return shard + " sealed to " + sealed + ", unreadable " + unreadable + ", gone " + gone;
  }
}
