package io.turnkeeper.events;

import io.turnkeeper.core.Attempt;
import io.turnkeeper.core.Decision;
import io.turnkeeper.core.Event;
import io.turnkeeper.core.ExecutorId;
import io.turnkeeper.core.Kind;
import io.turnkeeper.core.PoolId;
import io.turnkeeper.core.ShardId;
import io.turnkeeper.core.TableId;
import io.turnkeeper.core.UnitId;
import io.turnkeeper.core.partition.DecisionRecord;
import io.turnkeeper.core.partition.JournalEntry;
import io.turnkeeper.core.partition.PartitionEvent;
import io.turnkeeper.core.partition.PartitionState;
import io.turnkeeper.core.partition.Settings;
import io.turnkeeper.core.partition.Source;
import io.turnkeeper.core.policy.Backpressure;
import io.turnkeeper.core.policy.PolicyDocument;
import io.turnkeeper.core.policy.PolicyMode;
import io.turnkeeper.core.pool.ExecutorEvent;
import io.turnkeeper.core.pool.InboxEvent;
import io.turnkeeper.core.pool.PoolDecision;
import io.turnkeeper.core.pool.PoolState;
import io.turnkeeper.core.table.Admission;
import io.turnkeeper.core.table.Artifact;
import io.turnkeeper.core.table.Assignment;
import io.turnkeeper.core.table.Backlog;
import io.turnkeeper.core.table.CheckpointEvent;
import io.turnkeeper.core.table.ClaimEvent;
import io.turnkeeper.core.table.DemandEvent;
import io.turnkeeper.core.table.Done;
import io.turnkeeper.core.table.Failure;
import io.turnkeeper.core.table.Head;
import io.turnkeeper.core.table.IndexSpec;
import io.turnkeeper.core.table.IndexType;
import io.turnkeeper.core.table.MergeMode;
import io.turnkeeper.core.table.Mode;
import io.turnkeeper.core.table.Observation;
import io.turnkeeper.core.table.PlacementEvent;
import io.turnkeeper.core.table.PolicyApplied;
import io.turnkeeper.core.table.PolicyEvent;
import io.turnkeeper.core.table.Probe;
import io.turnkeeper.core.table.PublishEvent;
import io.turnkeeper.core.table.Registration;
import io.turnkeeper.core.table.Shard;
import io.turnkeeper.core.table.TableSnapshot;
import io.turnkeeper.core.table.TableState;
import io.turnkeeper.core.table.Turns;
import io.turnkeeper.core.table.Unit;
import io.turnkeeper.core.table.UnitDecision;
import io.turnkeeper.core.table.WorkSpec;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * One fixed value of every record that travels. Changing a value changes its golden bytes, so add
 * new ones instead.
 */
final class Samples {
  static final TableId TABLE = new TableId("lager/straße");
  static final PoolId POOL = new PoolId("default");
  static final ExecutorId EXECUTOR = new ExecutorId("worker-1");
  static final UnitId UNIT = new UnitId(TABLE, 42);
  static final Attempt ATTEMPT = new Attempt(UNIT, 2, EXECUTOR, 7);
  static final ShardId SHARD = new ShardId("shard-a");
  static final long AT = 1_790_000_000_000L;

  private static final SortedMap<ShardId, Long> MERGED =
      sorted(Map.of(SHARD, 17L, new ShardId("shard-b"), 3L));
  private static final IndexSpec INDEX = new IndexSpec("by_id", "id", IndexType.BTREE);
  private static final PolicyDocument POLICY =
      PolicyDocument.of(
          draft -> {
            draft.mode = PolicyMode.DRAIN;
            draft.pool = POOL;
            draft.kinds = List.of(Kind.MERGE_WAL, Kind.INDEX);
            draft.prepareCompact = true;
            draft.prepareIndex = false;
            draft.mergeMinGenerations = 4L;
            draft.mergeMinBytes = 1_048_576L;
            draft.mergeMaxAgeMillis = 60_000L;
            draft.mergeUrgent = 256L;
            draft.mergeMaxGenerations = 64L;
            draft.mergeMaxBytes = 1L << 30;
            draft.indexMinUncovered = 1L;
            draft.observeAfterMillis = 30_000L;
            draft.observeRescanAfterMillis = 3_600_000L;
            draft.compactMinFragments = 8L;
            draft.compactTargetRows = 1_000_000L;
            draft.compactTargetBytes = 268_435_456L;
            draft.compactMaxSourceFragments = 32L;
            draft.indexes = List.of(INDEX, new IndexSpec("by_day", "day", IndexType.ZONEMAP));
            draft.maxConsecutive = sorted(Map.of(Kind.MERGE_WAL, 2L, Kind.COMPACT, 1L));
            draft.publishTimeoutMillis = 60_000L;
            draft.maxWaitMillis = sorted(Map.of(Kind.INDEX, 900_000L));
            draft.idleTimeoutMillis = 600_000L;
            draft.minIntervalMillis = sorted(Map.of(Kind.RETIRE, 86_400_000L));
            draft.backpressure = Backpressure.DELAY_ADMISSION;
            draft.retireAfterMillis = 604_800_000L;
            draft.retireKeepVersions = 10L;
            draft.retireGarbageMaxBytes = 1L << 33;
          });

  private Samples() {}

  /** Every event, the ones that only stand in journals included. */
  static List<Event> events() {
    return List.of(
        new DemandEvent.WalSealed(
            TABLE, 2, SHARD, 3, 17, 123_456, 7_890, AT, DemandEvent.SealSource.WRITER),
        new DemandEvent.TableObserved(
            TABLE,
            1,
            12,
            40,
            30,
            9_000_000,
            1_000_000,
            99_000_000,
            5,
            List.of(
                new DemandEvent.IndexObserved("by_id", "id", IndexType.BTREE, 3, 2, false),
                new DemandEvent.IndexObserved("by_day", "day", IndexType.ZONEMAP, 0, 1, true)),
            1,
            77_000,
            AT),
        new DemandEvent.TableRegistered(
            TABLE, 1, "/data/t", "/data/t-wal", List.of("id"), MergeMode.UPSERT, List.of(INDEX)),
        new DemandEvent.TableDropped(TABLE, 1),
        new ClaimEvent.UnitClaimed(ATTEMPT),
        new ClaimEvent.UnitDeclined(ATTEMPT, "DRAINING"),
        new ClaimEvent.UnitReleased(ATTEMPT, 300_000_000),
        new CheckpointEvent.PreparationPlanned(ATTEMPT, 12, List.of(0L, 5L, 6L)),
        new CheckpointEvent.WorkProgressed(ATTEMPT, 9, 1_000_000, 500_000, 10_000, "sort"),
        new CheckpointEvent.PreparationReady(
            ATTEMPT,
            new Artifact(12, List.of(0L, 5L), 3, 4_000_000, 80_000, "ab12", 900_000_000, "/p/d")),
        new PublishEvent.TurnTaken(ATTEMPT, 5),
        new PublishEvent.UnitPublished(ATTEMPT, 5, List.of(13L, 14L), MERGED, 80_000, 3, 12),
        new PublishEvent.PublishRefused(ATTEMPT, 5, "STALE_TURN", "highest turn is 6"),
        new PublishEvent.UnitFailed(
            ATTEMPT,
            "PREPARE",
            "INVALID_WAL",
            "not Arrow",
            new PublishEvent.BadGeneration(SHARD, 4)),
        new PublishEvent.UnitNoOp(ATTEMPT, 12, "nothing small"),
        new PublishEvent.HeadObserved(ATTEMPT, 1, 13, 5, 41, 1, 6, MERGED),
        new PolicyEvent.PolicySet(TABLE, POLICY, "ana", "tune"),
        new PolicyEvent.PolicyCleared(TABLE, "ana", "back to default"),
        new PolicyEvent.GenerationSkipped(TABLE, 2, SHARD, 4, "ana", "damaged disk"),
        new PolicyEvent.OperatorActed(
            TABLE, PolicyEvent.Action.TRIGGER, Kind.COMPACT, "ana", "before the audit"),
        new PlacementEvent.UnitPlaced(POOL, ATTEMPT, 512_000_000),
        new PlacementEvent.PlacementRefused(POOL, UNIT, 2, "NEEDS_MORE_MEMORY"),
        new PlacementEvent.ExecutorLost(TABLE, EXECUTOR, 7, List.of(UNIT), true),
        new PolicyApplied(TABLE, 6),
        new Probe(UNIT, 3),
        new ExecutorEvent.ExecutorHeartbeat(
            POOL,
            EXECUTOR,
            7,
            sorted(Map.of(Kind.MERGE_WAL, 2, Kind.OBSERVE, 1)),
            2_000_000_000,
            false,
            "0.1.0",
            sorted(Map.of("zone", "a", "arch", "x64")),
            List.of(new ExecutorEvent.LiveUnit(UNIT, 2))),
        new ExecutorEvent.ExecutorGone(POOL, EXECUTOR, 7),
        new ExecutorEvent.ExecutorProbe(POOL, EXECUTOR, 7),
        new InboxEvent.PlacementRequested(POOL, UNIT, 2, Kind.INDEX, 4, 1.5, AT, 700_000_000),
        new InboxEvent.PlacementWithdrawn(POOL, UNIT, 2),
        new InboxEvent.ReservationEnded(POOL, UNIT, 2, EXECUTOR, 7),
        new PartitionEvent.Tick(),
        new PartitionEvent.ClockGap(-1_500),
        new PartitionEvent.SourceGap("turnkeeper.demand", 10, 20),
        new PartitionEvent.SettingsApplied(
            new Settings(
                30_000, 5_000, 2_000, 15_000, 120, 1L << 34, List.of("*"), List.of("a", "b")),
            sorted(Map.of("turnkeeper.demand", "Zm9vYmFyYmF6cXV4MTIzNA"))));
  }

  /** Every kind of work. */
  static List<WorkSpec> specs() {
    return List.of(
        new WorkSpec.MergeWal(
            sorted(Map.of(SHARD, new WorkSpec.GenerationRange(4, 17))),
            sorted(Map.of(SHARD, List.of(5L, 9L))),
            MergeMode.APPEND,
            List.of()),
        new WorkSpec.Compact(1_000_000, 268_435_456, 32, List.of(7L)),
        new WorkSpec.BuildIndex(INDEX, List.of(1L, 2L)),
        new WorkSpec.Repair(),
        new WorkSpec.Retire(10, 4),
        new WorkSpec.Observe());
  }

  /** Every decision. */
  static List<Decision> decisions() {
    return List.of(
        runUnit(specs().get(0)),
        new Assignment.GrantTurn(ATTEMPT, 5, 60_000),
        new Assignment.CancelUnit(ATTEMPT, 9, "STALLED", "no progress"),
        new UnitDecision.OpenUnit(UNIT, Kind.COMPACT, Mode.INSIDE, specs().get(1)),
        new UnitDecision.RequestPlacement(UNIT, 2, POOL, Kind.COMPACT, 4, 2.25, AT, 1_000),
        new UnitDecision.WithdrawPlacement(UNIT, 2, POOL),
        new UnitDecision.EndReservation(UNIT, 2, POOL, EXECUTOR, 7),
        new UnitDecision.WithdrawGrant(UNIT, 5),
        new UnitDecision.ExpireTurn(UNIT, 5),
        new UnitDecision.FailUnit(UNIT, 2, "CLAIM_TIMEOUT", "not claimed in 30 s"),
        new UnitDecision.SendProbe(UNIT, 3, UnitDecision.ProbeTopic.CHECKPOINT),
        new PoolDecision.PlaceUnit(POOL, ATTEMPT, 512_000_000),
        new PoolDecision.RefusePlacement(POOL, UNIT, 2, "NEEDS_MORE_MEMORY"),
        new PoolDecision.DeclareExecutorLost(POOL, EXECUTOR, 7, List.of(UNIT), true),
        new PoolDecision.ProbeExecutor(POOL, EXECUTOR, 7));
  }

  /** One state of each sort, with every optional part present. */
  static List<Record> states() {
    var unit =
        new Unit(
            UNIT,
            Kind.MERGE_WAL,
            Mode.OUTSIDE,
            specs().get(0),
            Unit.Phase.TAKEN,
            2,
            new Unit.Placement(EXECUTOR, 7, 512_000_000),
            List.of(0L, 5L),
            new Artifact(12, List.of(0L, 5L), 3, 4_000_000, 80_000, "", 0, "/p/d"),
            new Unit.Asked(POOL, 2, 3, -1, 64_000_000),
            AT,
            AT + 1,
            5_000,
            9,
            1,
            true,
            new Unit.Silence(3, true),
            new Unit.Cancellation(9, "STALLED", "no progress", 4_000));
    var shard =
        new Shard(
            3,
            17,
            123_456,
            7_890,
            4,
            30_000,
            List.of(new Shard.Mark(5, AT, 40_000), new Shard.Mark(17, AT + 9, 123_456)),
            List.of(9L),
            9);
    var table =
        new TableState(
            TABLE,
            1,
            new Registration("/data/t", "/data/t-wal", List.of(), MergeMode.APPEND, List.of(INDEX)),
            POLICY,
            6,
            sorted(Map.of(SHARD, shard)),
            new Observation(
                12,
                40,
                30,
                9_000_000,
                1_000_000,
                99_000_000,
                List.of(new DemandEvent.IndexObserved("by_id", "id", IndexType.BTREE, 3, 2, false)),
                0,
                77_000,
                AT - 5,
                AT),
            new Head(12, 4, 41, 4),
            new Turns(
                5,
                new Turns.Turn(5, Kind.MERGE_WAL, 42, AT),
                new Turns.Turn(4, Kind.COMPACT, 41, AT - 1),
                Kind.MERGE_WAL,
                1),
            sorted(Map.of(Kind.MERGE_WAL, unit)),
            42,
            3,
            sorted(Map.of("COMPACT", new Failure("IO", "disk", 2, AT, AT + 5, AT + 9, false))),
            sorted(Map.of(Kind.INDEX, new Done(11, 0, 900_000_000, AT))),
            List.of(new TableState.Held(ATTEMPT, Kind.MERGE_WAL, POOL)),
            List.of(new TableState.Released(UNIT, 1, POOL, EXECUTOR, 7)),
            List.of(new Attempt(UNIT, 1, EXECUTOR, 6)),
            List.of(Kind.RETIRE),
            List.of(Kind.OBSERVE),
            List.of(Kind.COMPACT));
    var executor =
        new PoolState.Executor(
            7,
            sorted(Map.of(Kind.INDEX, 1)),
            1L << 31,
            true,
            9_000,
            true,
            false,
            false,
            8_000,
            3,
            List.of(TABLE));
    var request = new PoolState.Request(UNIT, 1, Kind.INDEX, 4, 1.5, AT, 700_000_000);
    var reservation = new PoolState.Reservation(ATTEMPT, Kind.MERGE_WAL, 1_000, true, true);
    var pool =
        new PoolState(
            POOL,
            sorted(Map.of(EXECUTOR, executor)),
            sorted(Map.of("lager/straße#43", request)),
            sorted(Map.of("lager/straße#42/2", reservation)),
            sorted(Map.of("INDEX:lager/straße", request)));
    var partition =
        new PartitionState(
            100,
            AT,
            86_400_000,
            Settings.DEFAULT,
            POLICY,
            6,
            AT - 7,
            sorted(Map.of("turnkeeper.demand-3", 7L)),
            sorted(Map.of("turnkeeper.demand", "Zm9vYmFyYmF6cXV4MTIzNA")));
    return List.of(
        table,
        new TableSnapshot(100, "0af1", table, new Admission(Backlog.WARN, 42)),
        pool,
        executor,
        request,
        reservation,
        partition,
        partition.progress());
  }

  static JournalEntry journaled(Event event) {
    return new JournalEntry(100, AT, new Source("turnkeeper.demand", 3, 999), event);
  }

  static DecisionRecord recorded(Decision decision) {
    return new DecisionRecord(3, 100, 1, 1, decision, "merge 1.5: 6 pending");
  }

  private static Assignment.RunUnit runUnit(WorkSpec spec) {
    return new Assignment.RunUnit(
        ATTEMPT, Kind.MERGE_WAL, Mode.OUTSIDE, spec, 1, "/data/t", "/data/t-wal", 512_000_000);
  }

  /** Everything that has golden bytes, by the name of its file: the record the sample is about. */
  static SortedMap<String, Object> golden() {
    SortedMap<String, Object> golden = new TreeMap<>();
    for (Event event : events()) {
      golden.put(event.getClass().getSimpleName(), event);
    }
    for (Decision decision : decisions()) {
      golden.put(
          decision.getClass().getSimpleName(),
          decision instanceof Assignment ? decision : recorded(decision));
    }
    for (WorkSpec spec : specs()) {
      golden.put(spec.getClass().getSimpleName(), runUnit(spec));
    }
    states().forEach(state -> golden.put(state.getClass().getSimpleName(), state));
    golden.put("JournalEntry", journaled(events().get(0)));
    golden.put("DecisionRecord", recorded(decisions().get(0)));
    return golden;
  }

  private static <K extends Comparable<K>, V> SortedMap<K, V> sorted(Map<K, V> map) {
    return new TreeMap<>(map);
  }
}
