package io.turnkeeper.streams;

import io.turnkeeper.core.Decided;
import io.turnkeeper.core.Decision;
import io.turnkeeper.core.Event;
import io.turnkeeper.core.Now;
import io.turnkeeper.core.TableId;
import io.turnkeeper.core.partition.PartitionState;
import io.turnkeeper.core.pool.InboxEvent;
import io.turnkeeper.core.table.Admission;
import io.turnkeeper.core.table.Assignment;
import io.turnkeeper.core.table.Context;
import io.turnkeeper.core.table.Disregarded;
import io.turnkeeper.core.table.News;
import io.turnkeeper.core.table.PolicyApplied;
import io.turnkeeper.core.table.Probe;
import io.turnkeeper.core.table.TableDecision;
import io.turnkeeper.core.table.TableEvent;
import io.turnkeeper.core.table.TableRules;
import io.turnkeeper.core.table.TableSnapshot;
import io.turnkeeper.core.table.TableState;
import io.turnkeeper.core.table.Timers;
import io.turnkeeper.core.table.UnitDecision;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Hands tables over to their rules. */
final class TableSubject implements Subject<TableState> {
  private static final Logger LOGGER = LoggerFactory.getLogger(TableSubject.class);

  @Override
  public Layout<TableState> layout() {
    return new Layout.Whole<>(TableState.class);
  }

  @Override
  public boolean concerns(Event event) {
    return event instanceof TableEvent;
  }

  @Override
  public @Nullable String keyOf(Event event) {
    TableId table = ((TableEvent) event).table();
    return table.equals(TableId.DEFAULT) ? null : table.value();
  }

  @Override
  public String keyOf(Decision decision) {
    return ((TableDecision) decision).table().value();
  }

  @Override
  public String recordKeyOf(Event event) {
    return ((TableEvent) event).table().value();
  }

  @Override
  public TableState unknown(String key) {
    return TableState.unknown(new TableId(key));
  }

  @Override
  public TableState fold(Event event, TableState before, Now now) {
    TableEvent fact = (TableEvent) event;
    TableState after = fact.applyTo(before, now);
    Disregarded reason = Disregarded.of(fact, before, after);
    if (reason != null) {
      LOGGER
          .atDebug()
          .addKeyValue("table", fact.table())
          .addKeyValue("reason", reason)
          .addKeyValue("event", fact)
          .log("a report changed nothing");
    }
    return after;
  }

  @Override
  public @Nullable Event overdue(TableState state, PartitionState partition) {
    return state.defaultsVersion() < partition.defaultsVersion()
        ? new PolicyApplied(state.table(), partition.defaultsVersion())
        : null;
  }

  @Override
  public List<Decided<TableDecision>> decide(TableState state, PartitionState partition, Now now) {
    return TableRules.decide(state, context(partition), now);
  }

  @Override
  public TableState apply(Decision decision, TableState before, Now now) {
    return ((TableDecision) decision).applyTo(before, now);
  }

  @Override
  public long nextDueMillis(TableState state, PartitionState partition, Now now) {
    return Timers.nextDueMillis(state, context(partition), now);
  }

  @Override
  public List<Outgoing> outgoing(Decision decision) {
    if (decision instanceof Assignment assignment) {
      String executor = assignment.attempt().executor().value();
      return List.of(new Outgoing(Nodes.ASSIGNMENT_SINK, executor, assignment, false));
    }
    if (decision instanceof UnitDecision.RequestPlacement request) {
      return toPool(
          new InboxEvent.PlacementRequested(
              request.pool(),
              request.unit(),
              request.attempt(),
              request.kind(),
              request.rank(),
              request.score(),
              request.waitSinceMillis(),
              request.expectedBytes()));
    }
    if (decision instanceof UnitDecision.WithdrawPlacement withdraw) {
      return toPool(
          new InboxEvent.PlacementWithdrawn(withdraw.pool(), withdraw.unit(), withdraw.attempt()));
    }
    if (decision instanceof UnitDecision.EndReservation end) {
      return toPool(
          new InboxEvent.ReservationEnded(
              end.pool(), end.unit(), end.attempt(), end.executor(), end.incarnation()));
    }
    if (decision instanceof UnitDecision.SendProbe probe) {
      String sink =
          switch (probe.topic()) {
            case CLAIM -> Nodes.CLAIM_PROBE_SINK;
            case CHECKPOINT -> Nodes.CHECKPOINT_PROBE_SINK;
            case PUBLISH -> Nodes.PUBLISH_PROBE_SINK;
          };
      Probe event = new Probe(probe.unit(), probe.number());
      return List.of(new Outgoing(sink, probe.table().value(), event, true));
    }
    return List.of();
  }

  @Override
  public Object snapshot(TableState state, byte[] encoded, PartitionState partition) {
    return new TableSnapshot(
        partition.sequence(),
        Digests.sha256(encoded),
        state,
        Admission.of(state, context(partition)));
  }

  @Override
  public boolean isNews(TableState before, TableState after) {
    return News.between(before, after);
  }

  private static List<Outgoing> toPool(InboxEvent event) {
    return List.of(new Outgoing(Nodes.POOL_INBOX_SINK, event.pool().value(), event, false));
  }

  private static Context context(PartitionState partition) {
    return Context.of(partition);
  }
}
