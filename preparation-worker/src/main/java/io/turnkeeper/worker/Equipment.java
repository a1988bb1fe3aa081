package io.turnkeeper.worker;

import io.turnkeeper.authority.Authority;
import io.turnkeeper.core.Kind;
import io.turnkeeper.worker.child.ChildWork;
import io.turnkeeper.worker.fence.Fence;
import io.turnkeeper.worker.work.TableObservation;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;

/**
 * What all attempts of a worker share.
 *
 * @param memory what all of them may reserve together
 * @param work prepares units in processes of their own
 * @param damaged index segments whose answers disagreed with a scan
 */
record Equipment(
    Authority authority,
    Reports reports,
    MemoryBudget memory,
    ChildWork work,
    TableObservation observation,
    Set<UUID> damaged,
    StepListener steps) {

  Equipment(
      Authority authority,
      Reports reports,
      MemoryBudget memory,
      ChildWork work,
      TableObservation observation,
      StepListener steps) {
    this(authority, reports, memory, work, observation, ConcurrentHashMap.newKeySet(), steps);
  }

  /** A fence that tells of a commit's steps as steps of that kind of unit. */
  Fence fence(Kind kind) {
    return new Fence(authority, step -> steps.reached(kind, UnitStep.valueOf(step.name())));
  }
}
