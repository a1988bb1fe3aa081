package io.turnkeeper.core.table;

import static io.turnkeeper.core.Kind.COMPACT;
import static io.turnkeeper.core.Kind.INDEX;
import static io.turnkeeper.core.Kind.MERGE_WAL;
import static io.turnkeeper.core.table.Scenario.SHARD;
import static io.turnkeeper.core.table.Scenario.TABLE;
import static org.assertj.core.api.Assertions.assertThat;

import io.turnkeeper.core.Kind;
import io.turnkeeper.core.Require;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** How a unit goes from phase to phase, in whatever order its worker's words are read. */
class UnitScenariosTest {
  private static final IndexSpec BY_ID = new IndexSpec("by_id", "id", IndexType.BTREE);

  @Test
  void aClaimReadAfterThePreparationChangesNothing() {
    Scenario scenario = Scenario.prepared().sealed(SHARD, 8).placed(MERGE_WAL).ready(MERGE_WAL);
    assertThat(scenario.unit(MERGE_WAL).phase()).isEqualTo(Unit.Phase.GRANTED);
    scenario.claimed(MERGE_WAL).expectNothing();
    assertThat(scenario.unit(MERGE_WAL).phase()).isEqualTo(Unit.Phase.GRANTED);
    scenario.ready(MERGE_WAL).expectNothing();
    assertThat(scenario.unit(MERGE_WAL).phase()).isEqualTo(Unit.Phase.GRANTED);
  }

  @Test
  void aRepeatedClaimIsNoSignOfLife() {
    Scenario scenario = Scenario.prepared().sealed(SHARD, 8).placed(MERGE_WAL).claimed(MERGE_WAL);
    scenario.after(599_999).claimed(MERGE_WAL).after(1).expect(UnitDecision.SendProbe.class);
  }

  @Test
  void workInsideWaitsForItsTurnFromItsClaimOn() {
    Scenario scenario = Scenario.plain().observed(2, 20, 1_000).sealed(SHARD, 8);
    scenario.prepare(MERGE_WAL).taken(MERGE_WAL).placed(COMPACT).claimed(COMPACT);
    assertThat(scenario.unit(COMPACT).phase()).isEqualTo(Unit.Phase.CLAIMED);
    scenario.after(4_000).published(MERGE_WAL, 3).expectNextTurn(COMPACT, "ready for 4000 ms");
  }

  @Test
  void workOutsideIsNotReadyBeforeItIsPrepared() {
    Scenario scenario = Scenario.prepared().sealed(SHARD, 8).placed(MERGE_WAL).claimed(MERGE_WAL);
    assertThat(scenario.unit(MERGE_WAL).readyAtMillis()).isZero();
    scenario.after(1_000).ready(MERGE_WAL);
    assertThat(scenario.unit(MERGE_WAL).readyAtMillis()).isEqualTo(scenario.atMillis());
  }

  @Test
  void progressProlongsNoGrantAndNoPublication() {
    Scenario granted = Scenario.prepared().sealed(SHARD, 8).prepare(MERGE_WAL);
    granted.after(4_999).progressed(MERGE_WAL, 1).after(1).expect(UnitDecision.SendProbe.class);
    Scenario taken = Scenario.prepared().sealed(SHARD, 8).prepare(MERGE_WAL).taken(MERGE_WAL);
    taken.after(59_999).progressed(MERGE_WAL, 1).after(1).expect(UnitDecision.SendProbe.class);
  }

  @Test
  void progressProlongsWorkInsideItsTurn() {
    Scenario scenario = Scenario.plain().observed(2, 20, 1_000).placed(COMPACT).claimed(COMPACT);
    scenario.taken(COMPACT).after(599_999).progressed(COMPACT, 1);
    scenario.after(599_999).expectNone(UnitDecision.SendProbe.class);
    scenario.after(1).expect(UnitDecision.SendProbe.class);
  }

  @Test
  void aPlanIsASignOfLife() {
    Scenario scenario = Scenario.prepared().observed(2, 20, 1_000).placed(COMPACT).claimed(COMPACT);
    scenario.after(599_999);
    scenario.given(
        new CheckpointEvent.PreparationPlanned(scenario.attempt(COMPACT), 2, List.of(4L)));
    scenario.after(1).expectNone(UnitDecision.SendProbe.class);
    assertThat(scenario.unit(COMPACT).sources()).containsExactly(4L);
  }

  @Test
  void whatGotReadyWasNotStalled() {
    Scenario scenario = Scenario.prepared().sealed(SHARD, 8).placed(MERGE_WAL).claimed(MERGE_WAL);
    scenario.after(600_000).probeReturned(MERGE_WAL).expect(Assignment.CancelUnit.class);
    scenario.ready(MERGE_WAL).expectNextTurn(MERGE_WAL, "");
    assertThat(scenario.unit(MERGE_WAL).cancellation()).isNull();
  }

  @Test
  void neitherProgressNorReadinessVoidsWhatAnOperatorOrdered() {
    Scenario scenario = Scenario.prepared().sealed(SHARD, 8).placed(MERGE_WAL).claimed(MERGE_WAL);
    scenario.given(cancel(MERGE_WAL)).progressed(MERGE_WAL, Require.MAX_NUMBER).ready(MERGE_WAL);
    scenario.expectNone(Assignment.GrantTurn.class);
    assertThat(scenario.unit(MERGE_WAL).cancellation()).isNotNull();
  }

  @Test
  void anOperatorCancelsOneKindOrAll() {
    Scenario scenario = Scenario.prepared(BY_ID).sealed(SHARD, 8).observed(2, 0, 1_000);
    scenario.placed(MERGE_WAL).placed(INDEX).given(cancel(INDEX));
    assertThat(scenario.unit(MERGE_WAL).cancellation()).isNull();
    scenario.given(cancel(null));
    assertThat(scenario.all(Assignment.CancelUnit.class))
        .extracting(order -> order.attempt().unit())
        .contains(scenario.unit(MERGE_WAL).id(), scenario.unit(INDEX).id());
    assertThat(scenario.state().cancels()).isEmpty();
  }

  @Test
  void anOperatorsCancelOfAnOpenTurnWaitsForItsEnd() {
    Scenario scenario = Scenario.prepared().sealed(SHARD, 8).prepare(MERGE_WAL);
    scenario.given(cancel(MERGE_WAL)).expectNothing();
    scenario.refused(MERGE_WAL, "TURN_LOST").expect(Assignment.CancelUnit.class);
    scenario.expectNone(Assignment.GrantTurn.class);
  }

  @Test
  void aNewAttemptStartsClean() {
    Scenario scenario = Scenario.prepared().observed(2, 20, 1_000).prepare(COMPACT, 1L);
    scenario.progressed(COMPACT, 5).executorRestarted();
    // It may have committed under its grant, which is found out first.
    scenario.placed(Kind.OBSERVE).claimed(Kind.OBSERVE).head(2, 0, 0, 0, 2);
    Unit unit = scenario.unit(COMPACT);
    assertThat(unit.attempt()).isEqualTo(2);
    assertThat(unit.placement()).isNull();
    assertThat(unit.sources()).isNull();
    assertThat(unit.artifact()).isNull();
    assertThat(unit.progress()).isZero();
    assertThat(unit.readyAtMillis()).isZero();
    assertThat(unit.requestedAtMillis()).as("waiting goes on").isEqualTo(Scenario.START_MILLIS);
  }

  @Test
  void aKindHasOneUnitAtATime() {
    Scenario scenario = Scenario.prepared().sealed(SHARD, 8).placed(MERGE_WAL);
    scenario.sealed(SHARD, 800).expectNone(UnitDecision.OpenUnit.class);
    assertThat(Arrays.stream(Kind.values()).filter(kind -> scenario.state().unit(kind) != null))
        .containsExactly(MERGE_WAL);
  }

  private static PolicyEvent cancel(@Nullable Kind kind) {
    return new PolicyEvent.OperatorActed(
        TABLE, PolicyEvent.Action.CANCEL, kind, "operator", "not now");
  }
}
