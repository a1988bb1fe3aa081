package io.turnkeeper.core.table;

import io.turnkeeper.core.Require;
import io.turnkeeper.core.table.DemandEvent.WalSealed;
import java.util.ArrayList;
import java.util.List;

/**
 * What is known of one writer's log. Every dimension is folded by its own maximum, so any subset,
 * order and repetition of the same facts gives the same shard.
 *
 * @param mergedBytesThrough bytes up to the merged mark, as far as it is known
 * @param marks when the lowest pending generations and the newest were sealed, by generation
 * @param skipped pending generations an operator left out, ascending
 * @param badGeneration the lowest pending generation found unreadable, 0 if none
 */
public record Shard(
    long writerEpoch,
    long sealedThrough,
    long bytesThrough,
    long rowsThrough,
    long mergedThrough,
    long mergedBytesThrough,
    List<Mark> marks,
    List<Long> skipped,
    long badGeneration) {
  /** Nothing known yet. */
  public static final Shard EMPTY = new Shard(0, 0, 0, 0, 0, 0, List.of(), List.of(), 0);

  /** The lowest pending generations whose times are kept; the newest is kept besides. */
  static final int MAX_LOWEST_MARKS = 63;

  /** When a pending generation was sealed, and the bytes of the log up to there. */
  public record Mark(long generation, long flushedAtMillis, long bytesThrough) {
    public Mark {
      Require.positive("generation", generation);
      Require.time("flushedAtMillis", flushedAtMillis);
      Require.count("bytesThrough", bytesThrough);
    }

    private Mark joined(Mark other) {
      return new Mark(
          generation,
          Math.min(flushedAtMillis, other.flushedAtMillis),
          Math.max(bytesThrough, other.bytesThrough));
    }
  }

  public Shard {
    marks = List.copyOf(marks);
    skipped = List.copyOf(skipped);
  }

  /** Generations that are sealed and not yet in the table. */
  public long pending() {
    return Math.max(0, sealedThrough - mergedThrough);
  }

  /** Bytes of the pending generations; an upper bound where the merged bytes are not known. */
  public long pendingBytes() {
    return pending() == 0 ? 0 : Math.max(0, bytesThrough - mergedBytesThrough);
  }

  /**
   * When the oldest pending generation was sealed whose time is kept, 0 if none is: the lowest was
   * sealed then or earlier.
   */
  public long oldestFlushMillis() {
    return marks.isEmpty() ? 0 : marks.get(0).flushedAtMillis();
  }

  /** Whether that is the time of the lowest pending generation, not of a later one. */
  boolean knowsOldestFlush() {
    return !marks.isEmpty() && marks.get(0).generation() == mergedThrough + 1;
  }

  /**
   * The highest pending generation up to {@code most} with at most these bytes, or the first.
   * Behind more generations than there are marks only a bound of all their bytes is known: they are
   * then taken to be of one size, since else a log that is far behind would go on one by one.
   */
  long lastWithin(long most, long bytes) {
    if (bytesUpTo(most) <= bytes) {
      return most;
    }
    long first = mergedThrough + 1;
    long last = mergedThrough;
    for (Mark mark : marks) {
      if (mark.generation() < most && mark.bytesThrough() - mergedBytesThrough <= bytes) {
        last = Math.max(last, mark.generation());
      }
    }
    if (last >= first) {
      return last;
    }
    long known = marks.isEmpty() ? sealedThrough : marks.get(0).generation();
    long each = Math.max(1, bytesUpTo(first) / (known - mergedThrough));
    return Math.max(first, Math.min(Math.min(most, known), mergedThrough + bytes / each));
  }

  /** Bytes of the generations after the merged mark up to {@code generation}, at best known. */
  long bytesUpTo(long generation) {
    int from = 0;
    int to = marks.size();
    while (from < to) {
      int middle = (from + to) >>> 1;
      if (marks.get(middle).generation() < generation) {
        from = middle + 1;
      } else {
        to = middle;
      }
    }
    return from == marks.size()
        ? pendingBytes()
        : Math.max(0, marks.get(from).bytesThrough() - mergedBytesThrough);
  }

  Shard sealed(WalSealed event) {
    Shard raised =
        new Shard(
            Math.max(writerEpoch, event.writerEpoch()),
            Math.max(sealedThrough, event.sealedThrough()),
            Math.max(bytesThrough, event.bytesThrough()),
            Math.max(rowsThrough, event.rowsThrough()),
            mergedThrough,
            mergedBytesThrough,
            marks,
            skipped,
            badGeneration);
    return raised.marked(
        new Mark(event.sealedThrough(), event.flushedAtMillis(), event.bytesThrough()));
  }

  private Shard marked(Mark mark) {
    if (mark.generation() <= mergedThrough) {
      // Too late to tell an age, but it still says how many bytes are merged at least.
      return withMerged(mergedThrough, Math.max(mergedBytesThrough, mark.bytesThrough()), marks);
    }
    List<Mark> all = new ArrayList<>(marks);
    int place = all.size();
    while (place > 0 && all.get(place - 1).generation() > mark.generation()) {
      place--;
    }
    if (place > 0 && all.get(place - 1).generation() == mark.generation()) {
      all.set(place - 1, all.get(place - 1).joined(mark));
    } else {
      all.add(place, mark);
    }
    if (all.size() > MAX_LOWEST_MARKS + 1) {
      all.remove(MAX_LOWEST_MARKS);
    }
    return withMerged(mergedThrough, mergedBytesThrough, all);
  }

  Shard mergedTo(long generation) {
    if (generation <= mergedThrough) {
      return this;
    }
    long bytes = mergedBytesThrough;
    List<Mark> left = new ArrayList<>();
    for (Mark mark : marks) {
      if (mark.generation() <= generation) {
        bytes = Math.max(bytes, mark.bytesThrough());
      } else {
        left.add(mark);
      }
    }
    return withMerged(generation, bytes, left);
  }

  private Shard withMerged(long merged, long mergedBytes, List<Mark> pendingMarks) {
    return new Shard(
        writerEpoch,
        sealedThrough,
        bytesThrough,
        rowsThrough,
        merged,
        mergedBytes,
        pendingMarks,
        skipped.isEmpty()
            ? skipped
            : skipped.stream().filter(generation -> generation > merged).toList(),
        badGeneration > merged ? badGeneration : 0);
  }

  Shard skipping(long generation) {
    if (generation <= mergedThrough || skipped.contains(generation)) {
      return this;
    }
    List<Long> all = new ArrayList<>(skipped);
    all.add(generation);
    all.sort(null);
    return new Shard(
        writerEpoch,
        sealedThrough,
        bytesThrough,
        rowsThrough,
        mergedThrough,
        mergedBytesThrough,
        marks,
        all,
        badGeneration == generation ? 0 : badGeneration);
  }

  Shard withBadGeneration(long generation) {
    if (generation <= mergedThrough || skipped.contains(generation)) {
      return this;
    }
    long lowest = badGeneration == 0 ? generation : Math.min(badGeneration, generation);
    return new Shard(
        writerEpoch,
        sealedThrough,
        bytesThrough,
        rowsThrough,
        mergedThrough,
        mergedBytesThrough,
        marks,
        skipped,
        lowest);
  }
}
