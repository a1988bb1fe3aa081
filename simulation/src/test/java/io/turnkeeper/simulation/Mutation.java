package io.turnkeeper.simulation;

import io.turnkeeper.core.Decided;
import io.turnkeeper.core.Event;
import io.turnkeeper.core.ExecutorId;
import io.turnkeeper.core.FailureCode;
import io.turnkeeper.core.Kind;
import io.turnkeeper.core.Now;
import io.turnkeeper.core.partition.PartitionState;
import io.turnkeeper.core.pool.ExecutorEvent.ExecutorHeartbeat;
import io.turnkeeper.core.pool.PoolDecision;
import io.turnkeeper.core.pool.PoolState;
import io.turnkeeper.core.pool.PoolState.Executor;
import io.turnkeeper.core.pool.PoolState.Reservation;
import io.turnkeeper.core.table.ClaimEvent.UnitReleased;
import io.turnkeeper.core.table.DemandEvent.WalSealed;
import io.turnkeeper.core.table.Mode;
import io.turnkeeper.core.table.PlacementEvent.PlacementRefused;
import io.turnkeeper.core.table.PolicyEvent.GenerationSkipped;
import io.turnkeeper.core.table.Probe;
import io.turnkeeper.core.table.PublishEvent.HeadObserved;
import io.turnkeeper.core.table.PublishEvent.PublishRefused;
import io.turnkeeper.core.table.PublishEvent.UnitFailed;
import io.turnkeeper.core.table.TableDecision;
import io.turnkeeper.core.table.TableState;
import io.turnkeeper.core.table.Unit;
import io.turnkeeper.core.table.UnitDecision.FailUnit;
import io.turnkeeper.core.table.UnitDecision.OpenUnit;
import io.turnkeeper.core.table.UnitDecision.RequestPlacement;
import io.turnkeeper.core.table.UnitDecision.SendProbe;
import io.turnkeeper.simulation.check.Units;
import io.turnkeeper.simulation.scheduler.PoolSubject;
import io.turnkeeper.simulation.scheduler.TableSubject;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;

/** One rule each that is missing or wrong. */
final class Mutation {
  private Mutation() {}

  /** The authority's word is not heard. */
  static final class DeafToTheHead extends TableSubject {
    @Override
    public TableState fold(Event event, TableState before, Now now) {
      return event instanceof HeadObserved ? before : super.fold(event, before, now);
    }
  }

  /** Whatever is sealed is sealed in the log of the table as it is. */
  static final class BlindToIncarnations extends TableSubject {
    @Override
    public TableState fold(Event event, TableState before, Now now) {
      return event instanceof WalSealed sealed && before.incarnation() > 0
          ? super.fold(ofIncarnation(sealed, before.incarnation()), before, now)
          : super.fold(event, before, now);
    }

    private static WalSealed ofIncarnation(WalSealed sealed, long incarnation) {
      return new WalSealed(
          sealed.table(),
          incarnation,
          sealed.shard(),
          sealed.writerEpoch(),
          sealed.sealedThrough(),
          sealed.bytesThrough(),
          sealed.rowsThrough(),
          sealed.flushedAtMillis(),
          sealed.source());
    }
  }

  /** A place that its executor names no more is out of mind at once. */
  static final class QuickToForget extends PoolSubject {
    @Override
    public PoolState fold(Event event, PoolState before, Now now) {
      PoolState after = super.fold(event, before, now);
      SortedMap<String, Reservation> kept = new TreeMap<>(after.reservations());
      kept.values().removeIf(Reservation::letGo);
      return new PoolState(
          after.pool(), after.executors(), after.requests(), kept, after.refused());
    }
  }

  /** Whoever speaks is welcome, whatever became of its places. */
  static final class Hospitable extends PoolSubject {
    @Override
    public PoolState fold(Event event, PoolState before, Now now) {
      PoolState after = super.fold(event, before, now);
      if (!(event instanceof ExecutorHeartbeat beat) || !after.equals(before)) {
        return after;
      }
      SortedMap<ExecutorId, Executor> others = new TreeMap<>(before.executors());
      others.remove(beat.executor());
      PoolState without =
          new PoolState(
              before.pool(), others, before.requests(), before.reservations(), before.refused());
      return super.fold(namingNothing(beat), without, now);
    }

    private static ExecutorHeartbeat namingNothing(ExecutorHeartbeat beat) {
      return new ExecutorHeartbeat(
          beat.pool(),
          beat.executor(),
          beat.incarnation(),
          beat.slots(),
          beat.bytesTotal(),
          beat.draining(),
          beat.version(),
          beat.labels(),
          List.of());
    }
  }

  /** Who was too big for everybody is not told when somebody joins. */
  static final class Silent extends PoolSubject {
    @Override
    public List<Decided<PoolDecision>> decide(PoolState state, PartitionState partition, Now now) {
      return super.decide(state, partition, now).stream()
          .filter(one -> !isAnswerToRefused(one.decision()))
          .toList();
    }

    private static boolean isAnswerToRefused(PoolDecision decision) {
      return decision instanceof PoolDecision.RefusePlacement refusal
          && refusal.code().equals(PlacementRefused.ASK_AGAIN);
    }
  }

  /** What keeps going stale is prepared outside again and again. */
  static final class NeverInside extends TableSubject {
    @Override
    public List<Decided<TableDecision>> decide(
        TableState state, PartitionState partition, Now now) {
      return super.decide(state, partition, now).stream().map(NeverInside::outside).toList();
    }

    private static Decided<TableDecision> outside(Decided<TableDecision> decided) {
      return decided.decision() instanceof OpenUnit open && open.kind() == Kind.COMPACT
          ? new Decided<>(
              new OpenUnit(open.unit(), open.kind(), Mode.OUTSIDE, open.spec()), decided.reason())
          : decided;
    }
  }

  /** A turn that came to nothing is given to the same unit again, at once and before all others. */
  static final class Stubborn extends TableSubject {
    @Override
    public TableState fold(Event event, TableState before, Now now) {
      TableState after = super.fold(event, before, now);
      Unit unit =
          event instanceof PublishRefused refused
              ? Units.find(before, refused.attempt().unit())
              : null;
      Unit again = unit == null ? null : after.units().get(unit.kind());
      return unit == null || again == null || !again.id().equals(unit.id())
          ? after
          : new Edit(after)
              .withoutFailure(unit.kind())
              .with(Edit.readyAt(again, unit.readyAtMillis()))
              .done();
    }
  }

  /** While a compaction works inside its turn, no merge is even prepared. */
  static final class OneAtATime extends TableSubject {
    @Override
    public List<Decided<TableDecision>> decide(
        TableState state, PartitionState partition, Now now) {
      Unit compaction = state.units().get(Kind.COMPACT);
      boolean worksInside = compaction != null && compaction.mode() == Mode.INSIDE;
      List<Decided<TableDecision>> decided = super.decide(state, partition, now);
      return worksInside && decided.stream().anyMatch(OneAtATime::opensMerge) ? List.of() : decided;
    }

    private static boolean opensMerge(Decided<TableDecision> decided) {
      return decided.decision() instanceof OpenUnit open && open.kind() == Kind.MERGE_WAL;
    }
  }

  /** Time that nobody observed counts like any other. */
  static final class WallClock extends TableSubject {
    @Override
    public TableState fold(Event event, TableState before, Now now) {
      return super.fold(event, before, wall(now));
    }

    @Override
    public List<Decided<TableDecision>> decide(
        TableState state, PartitionState partition, Now now) {
      return super.decide(state, partition, wall(now));
    }

    @Override
    public TableState apply(TableDecision decision, TableState before, Now now) {
      return super.apply(decision, before, wall(now));
    }

    @Override
    public long nextDueMillis(TableState state, PartitionState partition, Now now) {
      return super.nextDueMillis(state, partition, wall(now));
    }

    private static Now wall(Now now) {
      return new Now(now.atMillis(), now.atMillis());
    }
  }

  /** Silence is believed without a probe. */
  static final class Hasty extends TableSubject {
    @Override
    public TableState apply(TableDecision decision, TableState before, Now now) {
      TableState after = super.apply(decision, before, now);
      return decision instanceof SendProbe probe
          ? super.fold(new Probe(probe.unit(), probe.number()), after, now)
          : after;
    }

    @Override
    public List<Decided<TableDecision>> decide(
        TableState state, PartitionState partition, Now now) {
      List<Decided<TableDecision>> decided = super.decide(state, partition, now);
      TableState after = state;
      for (Decided<TableDecision> one : decided) {
        after = apply(one.decision(), after, now);
      }
      List<Decided<TableDecision>> more = super.decide(after, partition, now);
      return Stream.concat(decided.stream(), more.stream()).toList();
    }
  }

  /** A generation that cannot be read is left out without a word to anybody. */
  static final class Sloppy extends TableSubject {
    @Override
    public TableState fold(Event event, TableState before, Now now) {
      TableState after = super.fold(event, before, now);
      return event instanceof UnitFailed failed && failed.badGeneration() != null
          ? super.fold(
              new GenerationSkipped(
                  failed.table(),
                  Math.max(1, before.incarnation()),
                  failed.badGeneration().shard(),
                  failed.badGeneration().generation(),
                  "nobody",
                  "cannot be read"),
              after,
              now)
          : after;
    }
  }

  /** What could not be offered under one policy is done under the next. */
  static final class Eager extends TableSubject {
    @Override
    public List<Decided<TableDecision>> decide(
        TableState state, PartitionState partition, Now now) {
      return super.decide(state, partition, now).stream()
          .map(one -> new Decided<>(offered(one.decision(), state), one.reason()))
          .toList();
    }

    private static TableDecision offered(TableDecision decision, TableState state) {
      Unit unit =
          decision instanceof FailUnit failed && failed.code().equals(FailureCode.SUPERSEDED.name())
              ? Units.find(state, failed.unit())
              : null;
      if (unit != null && unit.phase() == Unit.Phase.REQUESTED) {
        return new RequestPlacement(
            unit.id(), unit.attempt(), Fleet.POOL, unit.kind(), 2, 1, unit.requestedAtMillis(), 1);
      }
      return decision;
    }
  }

  /** Whoever said that its work is cancelled is believed to hold no memory any more. */
  static final class Trusting extends TableSubject {
    @Override
    public TableState fold(Event event, TableState before, Now now) {
      TableState after = super.fold(event, before, now);
      return event instanceof UnitFailed failed
          ? super.fold(new UnitReleased(failed.attempt(), 0), after, now)
          : after;
    }
  }
}
