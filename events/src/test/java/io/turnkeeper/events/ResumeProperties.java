package io.turnkeeper.events;

import static org.assertj.core.api.Assertions.assertThat;

import io.turnkeeper.core.Attempt;
import io.turnkeeper.core.Decided;
import io.turnkeeper.core.ExecutorId;
import io.turnkeeper.core.Kind;
import io.turnkeeper.core.Now;
import io.turnkeeper.core.PoolId;
import io.turnkeeper.core.ShardId;
import io.turnkeeper.core.TableId;
import io.turnkeeper.core.partition.Settings;
import io.turnkeeper.core.policy.PolicyDocument;
import io.turnkeeper.core.table.Artifact;
import io.turnkeeper.core.table.CheckpointEvent.PreparationReady;
import io.turnkeeper.core.table.CheckpointEvent.WorkProgressed;
import io.turnkeeper.core.table.ClaimEvent.UnitClaimed;
import io.turnkeeper.core.table.ClaimEvent.UnitReleased;
import io.turnkeeper.core.table.Context;
import io.turnkeeper.core.table.DemandEvent.SealSource;
import io.turnkeeper.core.table.DemandEvent.TableObserved;
import io.turnkeeper.core.table.DemandEvent.TableRegistered;
import io.turnkeeper.core.table.DemandEvent.WalSealed;
import io.turnkeeper.core.table.MergeMode;
import io.turnkeeper.core.table.PlacementEvent.UnitPlaced;
import io.turnkeeper.core.table.PublishEvent.PublishRefused;
import io.turnkeeper.core.table.PublishEvent.TurnTaken;
import io.turnkeeper.core.table.PublishEvent.UnitFailed;
import io.turnkeeper.core.table.PublishEvent.UnitPublished;
import io.turnkeeper.core.table.TableDecision;
import io.turnkeeper.core.table.TableEvent;
import io.turnkeeper.core.table.TableRules;
import io.turnkeeper.core.table.TableState;
import io.turnkeeper.core.table.Timers;
import io.turnkeeper.core.table.Unit;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/** A table whose state goes through the codec at any moment goes on as if it had not. */
class ResumeProperties {
  private static final TableId TABLE = new TableId("flights");
  private static final long START_MILLIS = 1_800_000_000_000L;
  private static final Context CONTEXT =
      new Context(Settings.DEFAULT.preparing(List.of("*"), List.of("*")), PolicyDocument.EMPTY, 0);

  private final RecordCodec codec = new RecordCodec();

  @Property(tries = 30)
  void whatIsReadBackGoesOnAsWhatWasWritten(@ForAll Random random) throws InvalidRecordException {
    TableState live = TableState.unknown(TABLE);
    long atMillis = START_MILLIS;
    for (int step = 0; step < 40; step++) {
      atMillis += random.nextInt(5) == 0 ? 400_000 : random.nextInt(3_000);
      Now now = new Now(atMillis, atMillis - START_MILLIS);
      TableEvent event = step == 0 ? registered() : event(live, random);
      TableState resumed = codec.decode(codec.encode(live), TableState.class);
      live = event.applyTo(live, now);
      resumed = event.applyTo(resumed, now);
      List<Decided<TableDecision>> decided = TableRules.decide(live, CONTEXT, now);
      assertThat(TableRules.decide(resumed, CONTEXT, now)).isEqualTo(decided);
      for (Decided<TableDecision> each : decided) {
        live = each.decision().applyTo(live, now);
        resumed = each.decision().applyTo(resumed, now);
      }
      assertThat(codec.encode(resumed)).isEqualTo(codec.encode(live));
      assertThat(Timers.nextDueMillis(resumed, CONTEXT, now))
          .isEqualTo(Timers.nextDueMillis(live, CONTEXT, now));
    }
  }

  private static TableEvent event(TableState state, Random random) {
    List<Unit> units = List.copyOf(state.units().values());
    int dice = random.nextInt(10);
    if (dice == 0 || units.isEmpty()) {
      ShardId shard = new ShardId("s" + random.nextInt(2));
      long through = 1L + random.nextInt(600);
      return new WalSealed(
          TABLE, 1, shard, 1, through, through * 9, through, START_MILLIS, SealSource.WRITER);
    }
    if (dice == 1) {
      long small = random.nextInt(40);
      return new TableObserved(
          TABLE, 1, 1 + random.nextInt(40), small, small, 9, 90, 900, 0, List.of(), 0, 0, 0);
    }
    return report(units.get(random.nextInt(units.size())), state, random);
  }

  private static TableEvent report(Unit unit, TableState state, Random random) {
    Attempt attempt = new Attempt(unit.id(), unit.attempt(), new ExecutorId("worker-1"), 1);
    long turn = Math.max(1, state.turns().highest());
    if (random.nextInt(6) == 0) {
      return random.nextBoolean()
          ? new UnitFailed(attempt, "PREPARE", "IO", "because", null)
          : new UnitReleased(attempt, 1_000);
    }
    return switch (unit.phase()) {
      case REQUESTED, PLACED -> new UnitPlaced(new PoolId("default"), attempt, 1_000);
      case ASSIGNED -> new UnitClaimed(attempt);
      case CLAIMED, READY -> new WorkProgressed(attempt, 1 + random.nextInt(9), 1, 1, 1, "reading");
      case PREPARING ->
          new PreparationReady(attempt, new Artifact(1, List.of(4L), 1, 1, 1, "", 0, ""));
      case GRANTED -> new TurnTaken(attempt, turn);
      case TAKEN ->
          random.nextInt(3) == 0
              ? new PublishRefused(attempt, turn, "TURN_LOST", "because")
              : new UnitPublished(
                  attempt,
                  turn,
                  unit.kind() == Kind.OBSERVE ? List.of() : List.of(2L),
                  Collections.emptySortedMap(),
                  1,
                  1,
                  0);
    };
  }

  private static TableEvent registered() {
    return new TableRegistered(
        TABLE, 1, "/tables/flights", "/wal/flights", List.of(), MergeMode.APPEND, List.of());
  }
}
