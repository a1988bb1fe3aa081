package io.turnkeeper.simulation;

import io.turnkeeper.authority.Head;
import io.turnkeeper.core.pool.PoolState;
import io.turnkeeper.core.table.TableState;
import io.turnkeeper.simulation.check.Settlement;
import io.turnkeeper.simulation.check.Waits;
import io.turnkeeper.simulation.plan.Action;
import io.turnkeeper.simulation.plan.Plan;
import io.turnkeeper.simulation.table.SimTable;
import io.turnkeeper.simulation.world.Tally;
import io.turnkeeper.simulation.world.Violation;
import java.util.StringJoiner;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** One life of a fleet: a plan is carried out, then everything heals and must come to rest. */
final class Life {
  private static final int EXECUTORS = 3;
  private static final long CALM_MILLIS = 2_400_000;
  private static final long STEP_MILLIS = 1_000;

  /**
   * How a life went.
   *
   * @param violation what did not hold; null if everything did
   * @param begun how many actions there were up to the one that was waited for in the end; what
   *     comes after them made no difference
   */
  record Outcome(@Nullable Violation violation, int begun, Tally tally, Waits waits) {}

  private final Fleet fleet;
  private final Outside outside;
  private final Plan plan;
  private final Consumer<Object> trace;
  private int begun;

  private Life(Plan plan, Rules rules, Consumer<Object> trace) {
    this.plan = plan;
    this.trace = trace;
    fleet = new Fleet(plan.seed(), EXECUTORS, rules, trace);
    outside = new Outside(fleet);
  }

  /**
   * Lives through a plan.
   *
   * @param trace hears of everything that happens
   */
  static Outcome of(Plan plan, Rules rules, Consumer<Object> trace) {
    Life life = new Life(plan, rules, trace);
    Violation violation = null;
    try {
      life.live();
    } catch (Violation e) {
      violation = e;
    } catch (IllegalStateException | IllegalArgumentException e) {
      violation = new Violation("no rule fails: " + e.getClass().getSimpleName(), e.toString());
      violation.addSuppressed(e);
    }
    return new Outcome(violation, life.begun, life.fleet.tally, life.fleet.waits);
  }

  private void live() {
    fleet.start();
    for (Action action : plan.actions()) {
      begun++;
      fleet.runTo(action.atMillis());
      trace.accept(action);
      outside.act(action);
    }
    fleet.runTo(plan.endMillis());
    trace.accept("everything heals");
    outside.heal();
    rest();
    fleet.checkContents();
    fleet.rebuild();
  }

  private void rest() {
    long from = fleet.clock.ageMillis();
    long drained = -1;
    while (fleet.clock.ageMillis() < from + CALM_MILLIS) {
      fleet.tables.all().values().forEach(outside::attend);
      fleet.runTo(fleet.clock.ageMillis() + STEP_MILLIS);
      if (drained < 0 && fleet.tables.all().values().stream().allMatch(this::isMerged)) {
        drained = fleet.clock.ageMillis() - from;
        fleet.waits.drained(drained);
      }
      if (drained >= 0 && fleet.isCommitted() && isAtRest()) {
        Settlement.check(fleet.tally.counts());
        return;
      }
    }
    throw new Violation(
        drained < 0 ? "everything sealed gets merged" : "everything comes to rest", unrest());
  }

  /** Whether all that was sealed is in the table. */
  private boolean isMerged(SimTable table) {
    Head head = fleet.head(table);
    return table.logs().values().stream()
        .allMatch(log -> head.mergedThrough(log.shard()) >= log.sealed());
  }

  private boolean isAtRest() {
    return fleet.tables.all().values().stream().allMatch(this::isQuiet)
        && fleet.poolTask.states().values().stream().allMatch(Life::isQuiet);
  }

  private boolean isQuiet(SimTable table) {
    TableState state = state(table);
    return state.units().isEmpty()
        && state.turns().open() == null
        && state.turns().unresolved() == null
        && state.pendingGenerations() == 0
        && state.held().isEmpty()
        && (table.isIndexed() || table.fragments().isEmpty());
  }

  private static boolean isQuiet(PoolState pool) {
    return pool.reservations().isEmpty() && pool.requests().isEmpty();
  }

  /** Whatever still wants something long after the last disturbance. */
  private String unrest() {
    StringJoiner all = new StringJoiner("; ", "after " + CALM_MILLIS + " ms: ", "");
    for (SimTable table : fleet.tables.all().values()) {
      if (!isMerged(table) || !isQuiet(table)) {
        all.add(table.logs().values() + ", " + fleet.head(table) + ", " + state(table));
      }
    }
    fleet.poolTask.states().values().stream()
        .filter(pool -> !isQuiet(pool))
        .forEach(pool -> all.add(pool.toString()));
    return all.toString();
  }

  private TableState state(SimTable table) {
    return fleet.tableTask.states().getOrDefault(table.id(), TableState.unknown(table.id()));
  }
}
