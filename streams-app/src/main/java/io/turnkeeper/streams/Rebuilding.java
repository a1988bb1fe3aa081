package io.turnkeeper.streams;

import io.turnkeeper.core.partition.PartitionState;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;

/** One rebuild under way: what each partition must reach, and how far it is. */
final class Rebuilding {
  private final List<RebuildTarget> targets;
  private final Map<Integer, Long> at = new ConcurrentHashMap<>();
  private final Map<Integer, PartitionState> done = new ConcurrentHashMap<>();
  private final CountDownLatch open;
  private final RebuildListener listener;

  Rebuilding(List<RebuildTarget> targets, RebuildListener listener) {
    this.targets = List.copyOf(targets);
    this.open = new CountDownLatch(targets.size());
    this.listener = listener;
  }

  RebuildTarget target(int partition) {
    return targets.get(partition);
  }

  void isAt(int partition, long sequence) {
    at.put(partition, sequence);
  }

  void isDone(int partition, PartitionState state) {
    if (done.put(partition, state) == null) {
      open.countDown();
    }
  }

  RebuildListener listener() {
    return listener;
  }

  CountDownLatch open() {
    return open;
  }

  long entries() {
    return at.values().stream().mapToLong(Long::longValue).sum();
  }

  long entriesInAll() {
    return targets.stream().mapToLong(RebuildTarget::newest).sum();
  }

  /** A partition's state at the end, null while it is not there. */
  @Nullable PartitionState state(int partition) {
    return done.get(partition);
  }
}
