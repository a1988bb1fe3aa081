package io.turnkeeper.simulation.check;

import io.turnkeeper.core.Event;
import io.turnkeeper.core.Kind;
import io.turnkeeper.core.Now;
import io.turnkeeper.core.partition.PartitionState;
import io.turnkeeper.core.policy.Policy;
import io.turnkeeper.core.table.DemandEvent.TableObserved;
import io.turnkeeper.core.table.Explanation;
import io.turnkeeper.core.table.PublishEvent.UnitFailed;
import io.turnkeeper.core.table.PublishEvent.UnitNoOp;
import io.turnkeeper.core.table.TableDecision;
import io.turnkeeper.core.table.TableState;
import io.turnkeeper.core.table.Unit;
import io.turnkeeper.simulation.scheduler.TableSubject;
import io.turnkeeper.simulation.world.Violation;

/**
 * The second half of invariant 6, and 11: who waited for too long is promoted, a look lowers no
 * demand, and there is a reason for everything that does not run.
 */
public final class PatienceCheck implements Check<TableState, TableDecision> {
  /** Timers are looked at ten times a second, so a promotion is hardly later than this. */
  private static final long LATE_MILLIS = 500;

  /** One look in so many asks for every reason, since that costs as much as deciding. */
  private static final int EXPLAINED_EVERY = 16;

  private long looks;

  @Override
  public void folded(Event event, TableState before, TableState after, Now now) {
    boolean look =
        event instanceof TableObserved
            || event instanceof UnitNoOp
            || (event instanceof UnitFailed failed && failed.badGeneration() == null);
    Violation.unless(
        !look || before.shards().equals(after.shards()),
        "11: a look never lowers demand",
        () -> event + " changed " + before.shards() + " to " + after.shards());
    Violation.unless(
        !look || (before.registration() == null) == (after.registration() == null),
        "11: a look never removes a table",
        () -> event + " changed " + before + " to " + after);
  }

  @Override
  public void rested(TableState state, PartitionState partition) {
    Policy policy = Policy.of(partition.defaults(), state.policy());
    Now now = partition.now();
    for (Unit unit : state.units().values()) {
      Unit.Asked asked = unit.asked();
      boolean waitsInVain =
          unit.phase() == Unit.Phase.REQUESTED
              && asked != null
              && asked.attempt() == unit.attempt()
              && asked.rank() > 1
              && now.atMillis() - unit.requestedAtMillis()
                  > policy.maxWaitMillis(unit.kind()) + LATE_MILLIS;
      Violation.unless(
          !waitsInVain, "6: no unit waits past maxWait unpromoted", () -> unit + " at " + now);
    }
    if (looks++ % EXPLAINED_EVERY == 0) {
      for (Kind kind : Kind.values()) {
        Explanation.of(kind, state, TableSubject.context(partition), now);
      }
    }
  }
}
