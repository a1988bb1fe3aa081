package io.turnkeeper.simulation.check;

import io.turnkeeper.core.Decision;
import io.turnkeeper.core.partition.PartitionEvent;
import io.turnkeeper.core.partition.PartitionState;
import io.turnkeeper.simulation.scheduler.Step;
import io.turnkeeper.simulation.scheduler.Subject;
import io.turnkeeper.simulation.world.Violation;
import java.util.HashMap;
import java.util.Map;

/**
 * Invariant 12: an entry looks at the one it is about, a tick only at those whose time has come,
 * and whoever was looked at has nothing more to do at once.
 */
final class WorkCheck<K, S, D extends Decision> {
  private final Subject<K, S, D> subject;
  private final Map<K, Long> due = new HashMap<>();
  private long allDueSinceMillis;

  WorkCheck(Subject<K, S, D> subject) {
    this.subject = subject;
  }

  /** An entry became real. */
  void began(Step<K, D> step, PartitionState partition) {
    boolean isTick = step.entry().event() instanceof PartitionEvent.Tick;
    boolean isOfOne = subject.keyOf(step.entry().event()) != null;
    if (!isTick && !isOfOne) {
      due.clear();
      allDueSinceMillis = partition.atMillis();
    }
    int most = isTick ? Integer.MAX_VALUE : isOfOne ? 1 : 0;
    Violation.unless(
        step.looked().size() <= most,
        "12: an entry looks at nobody but the one it is about",
        step::toString);
    if (isTick) {
      for (Step.Look<K, D> look : step.looked()) {
        Violation.unless(
            due.getOrDefault(look.key(), allDueSinceMillis) <= partition.atMillis(),
            "12: a tick looks only at those whose time has come",
            () -> look + " is due at " + due.get(look.key()));
      }
    }
  }

  /** One was looked at. */
  void rested(K key, S state, PartitionState partition) {
    long next = subject.nextDueMillis(state, partition, partition.now());
    due.put(key, next);
    Violation.unless(
        next > partition.atMillis(),
        "12: nobody is due again at once",
        () -> key + " at " + partition.now() + ": " + state);
  }
}
