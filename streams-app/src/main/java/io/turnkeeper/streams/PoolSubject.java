package io.turnkeeper.streams;

import io.turnkeeper.core.Attempt;
import io.turnkeeper.core.Decided;
import io.turnkeeper.core.Decision;
import io.turnkeeper.core.Event;
import io.turnkeeper.core.Now;
import io.turnkeeper.core.PoolId;
import io.turnkeeper.core.TableId;
import io.turnkeeper.core.UnitId;
import io.turnkeeper.core.partition.PartitionState;
import io.turnkeeper.core.pool.ExecutorEvent;
import io.turnkeeper.core.pool.PoolDecision;
import io.turnkeeper.core.pool.PoolEvent;
import io.turnkeeper.core.pool.PoolRules;
import io.turnkeeper.core.pool.PoolState;
import io.turnkeeper.core.table.PlacementEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Hands pools over to their rules. */
final class PoolSubject implements Subject<PoolState> {
  @Override
  public Layout<PoolState> layout() {
    return new PoolLayout();
  }

  @Override
  public boolean concerns(Event event) {
    return event instanceof PoolEvent;
  }

  @Override
  public String keyOf(Event event) {
    return ((PoolEvent) event).pool().value();
  }

  @Override
  public String keyOf(Decision decision) {
    return ((PoolDecision) decision).pool().value();
  }

  @Override
  public String recordKeyOf(Event event) {
    return keyOf(event);
  }

  @Override
  public PoolState unknown(String key) {
    return PoolState.empty(new PoolId(key));
  }

  @Override
  public PoolState fold(Event event, PoolState before, Now now) {
    return ((PoolEvent) event).applyTo(before, now);
  }

  @Override
  public List<Decided<PoolDecision>> decide(PoolState state, PartitionState partition, Now now) {
    return PoolRules.decide(state, partition.settings(), now);
  }

  @Override
  public PoolState apply(Decision decision, PoolState before, Now now) {
    return ((PoolDecision) decision).applyTo(before, now);
  }

  @Override
  public @Nullable Event overdue(PoolState state, PartitionState partition) {
    return null;
  }

  @Override
  public long nextDueMillis(PoolState state, PartitionState partition, Now now) {
    return PoolRules.nextDueMillis(state, partition.settings(), now);
  }

  @Override
  public List<Outgoing> outgoing(Decision decision) {
    if (decision instanceof PoolDecision.PlaceUnit place) {
      Attempt attempt = place.attempt();
      return List.of(
          toTable(
              attempt.table(),
              new PlacementEvent.UnitPlaced(place.pool(), attempt, place.reservedBytes())));
    }
    if (decision instanceof PoolDecision.RefusePlacement refuse) {
      return List.of(
          toTable(
              refuse.unit().table(),
              new PlacementEvent.PlacementRefused(
                  refuse.pool(), refuse.unit(), refuse.attempt(), refuse.code())));
    }
    if (decision instanceof PoolDecision.DeclareExecutorLost lost) {
      return lostByTable(lost);
    }
    if (decision instanceof PoolDecision.ProbeExecutor probe) {
      return List.of(
          new Outgoing(
              Nodes.EXECUTOR_PROBE_SINK,
              probe.pool().value(),
              new ExecutorEvent.ExecutorProbe(probe.pool(), probe.executor(), probe.incarnation()),
              true));
    }
    throw new IllegalStateException("expected a decision of a pool, but it is " + decision);
  }

  @Override
  public @Nullable Object snapshot(PoolState state, byte[] encoded, PartitionState partition) {
    return null;
  }

  @Override
  public boolean isNews(PoolState before, PoolState after) {
    return false;
  }

  private static List<Outgoing> lostByTable(PoolDecision.DeclareExecutorLost lost) {
    SortedMap<TableId, List<UnitId>> byTable = new TreeMap<>();
    for (UnitId unit : lost.units()) {
      byTable.computeIfAbsent(unit.table(), table -> new ArrayList<>()).add(unit);
    }
    List<Outgoing> outgoing = new ArrayList<>();
    byTable.forEach(
        (table, units) ->
            outgoing.add(
                toTable(
                    table,
                    new PlacementEvent.ExecutorLost(
                        table, lost.executor(), lost.incarnation(), units, lost.silent()))));
    return outgoing;
  }

  private static Outgoing toTable(TableId table, PlacementEvent event) {
    return new Outgoing(Nodes.PLACEMENT_SINK, table.value(), event, false);
  }
}
