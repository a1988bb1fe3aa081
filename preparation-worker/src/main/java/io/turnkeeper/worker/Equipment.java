package io.turnkeeper.worker;

import io.turnkeeper.authority.Authority;
import io.turnkeeper.core.Kind;
import io.turnkeeper.worker.fence.Fence;
import io.turnkeeper.worker.work.CompactWork;
import io.turnkeeper.worker.work.IndexWork;
import io.turnkeeper.worker.work.MergeWork;
import io.turnkeeper.worker.work.TableObservation;
import io.turnkeeper.worker.work.Work;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.arrow.memory.BufferAllocator;

/**
 * What all attempts of a worker share.
 *
 * @param allocator the one root; each attempt takes a child of it
 * @param damaged index segments whose answers disagreed with a scan
 */
record Equipment(
    Authority authority,
    Reports reports,
    BufferAllocator allocator,
    TableObservation observation,
    Set<UUID> damaged,
    StepListener steps) {

  Equipment(
      Authority authority,
      Reports reports,
      BufferAllocator allocator,
      TableObservation observation,
      StepListener steps) {
    this(authority, reports, allocator, observation, ConcurrentHashMap.newKeySet(), steps);
  }

  /** A fence that tells of a commit's steps as steps of that kind of unit. */
  Fence fence(Kind kind) {
    return new Fence(authority, step -> steps.reached(kind, UnitStep.valueOf(step.name())));
  }

  /** How that kind is prepared; empty for kinds that are not. */
  static Optional<Work> work(Kind kind) {
    return switch (kind) {
      case MERGE_WAL -> Optional.of(new MergeWork());
      case COMPACT -> Optional.of(new CompactWork());
      case INDEX -> Optional.of(new IndexWork());
      case OBSERVE, REPAIR, RETIRE -> Optional.empty();
    };
  }
}
