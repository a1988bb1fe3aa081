package io.turnkeeper.streams.backtest;

import io.turnkeeper.core.Attempt;
import io.turnkeeper.core.ExecutorId;
import io.turnkeeper.core.pool.ExecutorEvent.ExecutorHeartbeat;
import io.turnkeeper.core.pool.ExecutorEvent.LiveUnit;
import io.turnkeeper.core.table.Assignment;
import io.turnkeeper.core.table.ClaimEvent;
import io.turnkeeper.core.table.TableState;
import io.turnkeeper.core.table.Unit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The executors that history shows, running what the rules assign to them now. */
final class SimulatedExecutors {
  private final Surroundings around;
  private final Durations durations;
  private final Map<Attempt, SimulatedAttempt> live = new LinkedHashMap<>();

  SimulatedExecutors(Surroundings around, Durations durations) {
    this.around = around;
    this.durations = durations;
  }

  /** The same heartbeat with these units. */
  static ExecutorHeartbeat naming(ExecutorHeartbeat beat, List<LiveUnit> units) {
    return new ExecutorHeartbeat(
        beat.pool(),
        beat.executor(),
        beat.incarnation(),
        beat.slots(),
        beat.bytesTotal(),
        beat.draining(),
        beat.version(),
        beat.labels(),
        units);
  }

  /** Goes on with what ran already when the simulation began. */
  void adopt(TableState state) {
    for (Unit unit : state.units().values()) {
      Unit.Placement place = unit.placement();
      if (place != null && unit.phase() != Unit.Phase.PLACED) {
        begin(SimulatedAttempt.orderFor(unit, place, state), state).adopt(unit, state.turns());
      }
    }
    for (TableState.Held held : state.held()) {
      if (!live.containsKey(held.attempt()) && !isAboutToBeTold(held, state)) {
        around.say(new ClaimEvent.UnitReleased(held.attempt(), 0));
      }
    }
  }

  private static boolean isAboutToBeTold(TableState.Held held, TableState state) {
    Unit unit = state.unit(held.kind());
    return unit != null && unit.phase() == Unit.Phase.PLACED;
  }

  /** Carries out what was decided. */
  void take(Assignment order) {
    if (order instanceof Assignment.RunUnit run) {
      begin(run, around.table(run.table())).start();
      return;
    }
    SimulatedAttempt attempt = live.get(order.attempt());
    if (attempt == null) {
      if (order instanceof Assignment.CancelUnit) {
        around.say(new ClaimEvent.UnitReleased(order.attempt(), 0)); // What does not run is free.
      }
      return; // Its executor is gone, or it ended meanwhile.
    }
    if (order instanceof Assignment.GrantTurn grant) {
      attempt.granted(grant);
    } else if (order instanceof Assignment.CancelUnit cancel) {
      attempt.cancelled(cancel);
    }
  }

  private SimulatedAttempt begin(Assignment.RunUnit run, TableState state) {
    Course course =
        durations.next(new Durations.Work(run.kind(), run.mode()), Size.log2(run.spec(), state));
    SimulatedAttempt attempt =
        new SimulatedAttempt(run, course, around, () -> live.remove(run.attempt()));
    live.put(run.attempt(), attempt);
    return attempt;
  }

  /** A heartbeat as it was, with the units that are simulated; a new start has none. */
  ExecutorHeartbeat heard(ExecutorHeartbeat beat) {
    stop(beat.executor(), beat.incarnation() - 1);
    List<LiveUnit> units =
        live.keySet().stream()
            .filter(attempt -> attempt.executor().equals(beat.executor()))
            .filter(attempt -> attempt.incarnation() == beat.incarnation())
            .map(attempt -> new LiveUnit(attempt.unit(), attempt.number()))
            .toList();
    return naming(beat, units);
  }

  /** That start of the executor, and all earlier ones, say nothing any more. */
  void stop(ExecutorId executor, long incarnation) {
    live.values()
        .removeIf(
            attempt ->
                attempt.id().executor().equals(executor)
                    && attempt.id().incarnation() <= incarnation
                    && attempt.stop());
  }
}
