package io.turnkeeper.worker;

import io.turnkeeper.authority.Authority;
import io.turnkeeper.core.Kind;
import io.turnkeeper.worker.child.ChildWork;
import io.turnkeeper.worker.fence.Fence;
import io.turnkeeper.worker.work.TableObservation;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.arrow.memory.BufferAllocator;

/**
 * What all attempts of a worker share.
 *
 * @param allocator the one root; each attempt takes a child of it
 * @param work prepares units in processes of their own
 * @param damaged index segments whose answers disagreed with a scan
 */
record Equipment(
    Authority authority,
    Reports reports,
    BufferAllocator allocator,
    ChildWork work,
    TableObservation observation,
    Set<UUID> damaged,
    StepListener steps) {

  Equipment(
      Authority authority,
      Reports reports,
      BufferAllocator allocator,
      ChildWork work,
      TableObservation observation,
      StepListener steps) {
    this(authority, reports, allocator, work, observation, ConcurrentHashMap.newKeySet(), steps);
  }

  /** A fence that tells of a commit's steps as steps of that kind of unit. */
  Fence fence(Kind kind) {
    return new Fence(authority, step -> steps.reached(kind, UnitStep.valueOf(step.name())));
  }
}
