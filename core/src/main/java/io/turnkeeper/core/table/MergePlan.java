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
 * @param oldestFlushMillis when the oldest of them was sealed, 0 if that is not known
 */
record MergePlan(
    SortedMap<ShardId, GenerationRange> ranges,
    long pending,
    long pendingBytes,
    long bytes,
    long oldestFlushMillis) {

  static MergePlan of(TableState state, Policy policy, long atMillis) {
    List<Map.Entry<ShardId, Shard>> open = new ArrayList<>();
    long pending = 0;
    long pendingBytes = 0;
    long oldest = Long.MAX_VALUE;
    for (Map.Entry<ShardId, Shard> entry : state.shards().entrySet()) {
      Shard shard = entry.getValue();
      long last = lastMergeable(state, entry.getKey(), shard, atMillis);
      if (last > shard.mergedThrough()) {
        open.add(entry);
        pending += last - shard.mergedThrough();
        pendingBytes += shard.bytesUpTo(last);
        oldest = Math.min(oldest, shard.oldestFlushMillis());
      }
    }
    open.sort(
        Comparator.<Map.Entry<ShardId, Shard>>comparingLong(
                entry -> entry.getValue().oldestFlushMillis())
            .thenComparing(Map.Entry::getKey));
    SortedMap<ShardId, GenerationRange> ranges = new TreeMap<>();
    long generationsLeft = policy.mergeMaxGenerations();
    long bytes = 0;
    for (Map.Entry<ShardId, Shard> entry : open) {
      Shard shard = entry.getValue();
      long last = lastMergeable(state, entry.getKey(), shard, atMillis);
      long first = shard.mergedThrough() + 1;
      last = Math.min(last, first + generationsLeft - 1);
      // Whole generations only, and always at least one.
      while (last > first && bytes + shard.bytesUpTo(last) > policy.mergeMaxBytes()) {
        last--;
      }
      long more = shard.bytesUpTo(last);
      boolean tooMuch = bytes + more > policy.mergeMaxBytes();
      if (last < first || (tooMuch && !ranges.isEmpty())) {
        break;
      }
      ranges.put(entry.getKey(), new GenerationRange(first, last));
      bytes += more;
      generationsLeft -= last - first + 1;
    }
    return new MergePlan(ranges, pending, pendingBytes, bytes, pending == 0 ? 0 : oldest);
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
