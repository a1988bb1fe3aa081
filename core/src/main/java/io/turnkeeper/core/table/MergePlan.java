package io.turnkeeper.core.table;

import io.turnkeeper.core.Kind;
import io.turnkeeper.core.ShardId;
import io.turnkeeper.core.policy.Policy;
import io.turnkeeper.core.table.WorkSpec.GenerationRange;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Which pending generations the next merge takes.
 *
 * @param ranges the generations by shard; empty if nothing can be merged now
 * @param pending mergeable pending generations, beyond what one unit takes
 * @param pendingBytes their bytes
 * @param bytes the bytes of {@code ranges}
 * @param oldestFlushMillis a time before which the oldest of them was sealed, 0 if there is none
 * @param oldestExactMillis when the oldest of those was sealed whose time is known, 0 if none is
 */
record MergePlan(
    SortedMap<ShardId, GenerationRange> ranges,
    long pending,
    long pendingBytes,
    long bytes,
    long oldestFlushMillis,
    long oldestExactMillis) {

  /** A shard and how far it can be merged now. */
  private record Open(ShardId id, Shard shard, long last) {}

  static MergePlan of(TableState state, Policy policy, long atMillis) {
    List<Open> open = new ArrayList<>();
    long pending = 0;
    long pendingBytes = 0;
    long oldest = Long.MAX_VALUE;
    long oldestExact = Long.MAX_VALUE;
    for (Map.Entry<ShardId, Shard> entry : state.shards().entrySet()) {
      Shard shard = entry.getValue();
      long last = lastMergeable(state, entry.getKey(), shard, atMillis);
      if (last > shard.mergedThrough()) {
        open.add(new Open(entry.getKey(), shard, last));
        pending += last - shard.mergedThrough();
        pendingBytes += shard.bytesUpTo(last);
        oldest = Math.min(oldest, shard.oldestFlushMillis());
        if (shard.knowsOldestFlush()) {
          oldestExact = Math.min(oldestExact, shard.oldestFlushMillis());
        }
      }
    }
    open.sort(
        Comparator.<Open>comparingLong(each -> each.shard().oldestFlushMillis())
            .thenComparing(Open::id));
    SortedMap<ShardId, GenerationRange> ranges = new TreeMap<>();
    long bytes = take(open, policy, ranges);
    return new MergePlan(ranges, pending, pendingBytes, bytes, known(oldest), known(oldestExact));
  }

  /** The longest waiting shards first, whole generations, and always at least one. */
  private static long take(
      List<Open> open, Policy policy, SortedMap<ShardId, GenerationRange> ranges) {
    long generationsLeft = policy.mergeMaxGenerations();
    long bytes = 0;
    for (Open each : open) {
      Shard shard = each.shard();
      long first = shard.mergedThrough() + 1;
      long most = Math.min(each.last(), first + generationsLeft - 1);
      if (most < first) {
        break;
      }
      long last = shard.lastWithin(most, policy.mergeMaxBytes() - bytes);
      long more = shard.bytesUpTo(last);
      if (bytes + more > policy.mergeMaxBytes() && !ranges.isEmpty()) {
        break;
      }
      ranges.put(each.id(), new GenerationRange(first, last));
      bytes += more;
      generationsLeft -= last - first + 1;
    }
    return bytes;
  }

  private static long known(long millis) {
    return millis == Long.MAX_VALUE ? 0 : millis;
  }

  /** For how long the oldest has waited at least: enough to promote it. */
  long ageMillis(long atMillis) {
    return oldestFlushMillis == 0 ? 0 : Math.max(0, atMillis - oldestFlushMillis);
  }

  /** For how long one has waited of which that is known: only this raises a score. */
  long exactAgeMillis(long atMillis) {
    return oldestExactMillis == 0 ? 0 : Math.max(0, atMillis - oldestExactMillis);
  }

  /** Never past a bad generation, except to try it again when its retry is due. */
  private static long lastMergeable(TableState state, ShardId id, Shard shard, long atMillis) {
    if (shard.badGeneration() == 0) {
      return shard.sealedThrough();
    }
    Failure failure = state.ledger().get(Failure.key(Kind.MERGE_WAL, id));
    boolean retry = failure == null || failure.isDue(atMillis);
    return retry && shard.badGeneration() == shard.mergedThrough() + 1
        ? shard.badGeneration()
        : shard.badGeneration() - 1;
  }

  WorkSpec.MergeWal spec(TableState state, Registration registration) {
    SortedMap<ShardId, List<Long>> skipped = new TreeMap<>();
    ranges.forEach(
        (id, range) -> {
          List<Long> left =
              state.shard(id).skipped().stream()
                  .filter(generation -> generation <= range.last())
                  .toList();
          if (!left.isEmpty()) {
            skipped.put(id, left);
          }
        });
    return new WorkSpec.MergeWal(
        ranges, skipped, registration.mergeMode(), registration.keyColumns());
  }
}
