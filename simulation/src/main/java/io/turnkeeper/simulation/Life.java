package io.turnkeeper.simulation;

import io.turnkeeper.authority.Head;
import io.turnkeeper.core.pool.PoolState;
import io.turnkeeper.core.table.TableState;
import io.turnkeeper.simulation.check.Waits;
import io.turnkeeper.simulation.plan.Action;
import io.turnkeeper.simulation.plan.Plan;
import io.turnkeeper.simulation.scheduler.PoolSubject;
import io.turnkeeper.simulation.scheduler.TableSubject;
import io.turnkeeper.simulation.table.SimLog;
import io.turnkeeper.simulation.table.SimTable;
import io.turnkeeper.simulation.world.Tally;
import io.turnkeeper.simulation.world.Violation;
import io.turnkeeper.simulation.world.VirtualClock;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** One life of a fleet: a plan is carried out, then everything heals and must come to rest. */
final class Life {
  /** The rules as they are. */
  static final Fleet.Rules RULES = new Fleet.Rules(new TableSubject(), new PoolSubject());

  private static final int EXECUTORS = 3;
  private static final long CALM_MILLIS = 2_400_000;
  private static final long STEP_MILLIS = 1_000;

  /**
   * How a life went.
   *
   * @param violation what did not hold; null if everything did
   */
  record Outcome(@Nullable Violation violation, Tally tally, Waits waits) {}

  private final Fleet fleet;
  private final Outside outside;
  private final Plan plan;
  private final Consumer<Object> trace;

  private Life(Plan plan, Fleet.Rules rules, Consumer<Object> trace) {
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
  static Outcome of(Plan plan, Fleet.Rules rules, Consumer<Object> trace) {
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
    return new Outcome(violation, life.fleet.tally, life.fleet.waits);
  }

  private void live() {
    fleet.start();
    for (Action action : plan.actions()) {
      fleet.runTo(action.atMillis());
      trace.accept(action);
      outside.act(action);
    }
    fleet.runTo(plan.endMillis());
    trace.accept("everything heals");
    outside.heal();
    rest();
    fleet.checkContents();
  }

  private void rest() {
    long from = fleet.clock.ageMillis();
    long drained = -1;
    while (fleet.clock.ageMillis() < from + CALM_MILLIS) {
      fleet.tables.all().values().forEach(outside::skipBad);
      fleet.runTo(fleet.clock.ageMillis() + STEP_MILLIS);
      if (drained < 0 && unmerged().isEmpty()) {
        drained = fleet.clock.ageMillis() - from;
        fleet.waits.drained(drained);
      }
      if (drained >= 0 && unrest().isEmpty()) {
        return;
      }
    }
    String why = unmerged().or(this::unrest).orElse("");
    throw new Violation(
        drained < 0 ? "everything sealed gets merged" : "everything comes to rest",
        why + " " + (fleet.clock.nowMillis() - VirtualClock.START_MILLIS - from) + " ms after");
  }

  /** What is not merged although it could be. */
  private Optional<String> unmerged() {
    for (SimTable table : fleet.tables.all().values()) {
      Optional<Head> head = fleet.authority.head(table.id());
      for (SimLog log : table.logs().values()) {
        if (head.isEmpty() || head.get().mergedThrough(log.shard()) < log.sealed()) {
          return Optional.of(
              log.shard() + " sealed to " + log.sealed() + ", " + head + ", " + state(table));
        }
      }
    }
    return Optional.empty();
  }

  /** What is not as it should be when nothing is wanted any more. */
  private Optional<String> unrest() {
    for (SimTable table : fleet.tables.all().values()) {
      TableState state = state(table);
      boolean quiet =
          state.units().isEmpty()
              && state.turns().open() == null
              && state.turns().unresolved() == null
              && state.pendingGenerations() == 0
              && (table.isIndexed() || table.fragments().isEmpty());
      if (!quiet) {
        return Optional.of("indexed: " + table.isIndexed() + ", " + state);
      }
    }
    return fleet.poolTask.states().values().stream()
        .filter(pool -> !pool.reservations().isEmpty() || !pool.requests().isEmpty())
        .findFirst()
        .map(PoolState::toString);
  }

  private TableState state(SimTable table) {
    return fleet.tableTask.states().getOrDefault(table.id(), TableState.unknown(table.id()));
  }
}
