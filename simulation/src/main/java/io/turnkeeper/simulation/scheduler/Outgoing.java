package io.turnkeeper.simulation.scheduler;

import io.turnkeeper.core.TableId;
import io.turnkeeper.core.UnitId;
import io.turnkeeper.core.pool.ExecutorEvent.ExecutorProbe;
import io.turnkeeper.core.pool.InboxEvent;
import io.turnkeeper.core.pool.PoolDecision;
import io.turnkeeper.core.table.Assignment;
import io.turnkeeper.core.table.PlacementEvent;
import io.turnkeeper.core.table.Probe;
import io.turnkeeper.core.table.TableDecision;
import io.turnkeeper.core.table.UnitDecision;
import io.turnkeeper.simulation.worker.AssignmentLog;
import io.turnkeeper.simulation.world.Network;
import io.turnkeeper.simulation.world.Topic;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/** Tells the others what was decided, in the transaction of the decision. */
public final class Outgoing {
  private final Network network;
  private final AssignmentLog orders;

  public Outgoing(Network network, AssignmentLog orders) {
    this.network = network;
    this.orders = orders;
  }

  /** What follows from a decision of a table. */
  public void send(TableDecision decision) {
    if (decision instanceof Assignment assignment) {
      orders.append(assignment);
    } else if (decision instanceof UnitDecision.RequestPlacement r) {
      network.append(
          Topic.POOL_INBOX,
          new InboxEvent.PlacementRequested(
              r.pool(),
              r.unit(),
              r.attempt(),
              r.kind(),
              r.rank(),
              r.score(),
              r.waitSinceMillis(),
              r.expectedBytes()));
    } else if (decision instanceof UnitDecision.WithdrawPlacement w) {
      network.append(
          Topic.POOL_INBOX, new InboxEvent.PlacementWithdrawn(w.pool(), w.unit(), w.attempt()));
    } else if (decision instanceof UnitDecision.EndReservation e) {
      network.append(
          Topic.POOL_INBOX,
          new InboxEvent.ReservationEnded(
              e.pool(), e.unit(), e.attempt(), e.executor(), e.incarnation()));
    } else if (decision instanceof UnitDecision.SendProbe probe) {
      network.append(
          switch (probe.topic()) {
            case CLAIM -> Topic.CLAIM;
            case CHECKPOINT -> Topic.CHECKPOINT;
            case PUBLISH -> Topic.PUBLISH;
          },
          new Probe(probe.unit(), probe.number()));
    }
  }

  /** What follows from a decision of a pool. */
  public void send(PoolDecision decision) {
    if (decision instanceof PoolDecision.PlaceUnit place) {
      network.append(
          Topic.PLACEMENT,
          new PlacementEvent.UnitPlaced(place.pool(), place.attempt(), place.reservedBytes()));
    } else if (decision instanceof PoolDecision.RefusePlacement refuse) {
      network.append(
          Topic.PLACEMENT,
          new PlacementEvent.PlacementRefused(
              refuse.pool(), refuse.unit(), refuse.attempt(), refuse.code()));
    } else if (decision instanceof PoolDecision.DeclareExecutorLost lost) {
      SortedMap<TableId, List<UnitId>> byTable = new TreeMap<>();
      lost.units()
          .forEach(
              unit -> byTable.computeIfAbsent(unit.table(), key -> new ArrayList<>()).add(unit));
      byTable.forEach(
          (table, units) ->
              network.append(
                  Topic.PLACEMENT,
                  new PlacementEvent.ExecutorLost(
                      table, lost.executor(), lost.incarnation(), units, lost.silent())));
    } else if (decision instanceof PoolDecision.ProbeExecutor probe) {
      network.append(
          Topic.EXECUTOR, new ExecutorProbe(probe.pool(), probe.executor(), probe.incarnation()));
    }
  }
}
