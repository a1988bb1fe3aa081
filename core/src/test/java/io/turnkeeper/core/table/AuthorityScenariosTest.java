package io.turnkeeper.core.table;

import static io.turnkeeper.core.Kind.INDEX;
import static io.turnkeeper.core.Kind.MERGE_WAL;
import static io.turnkeeper.core.Kind.OBSERVE;
import static io.turnkeeper.core.table.Scenario.SHARD;
import static io.turnkeeper.core.table.Scenario.TABLE;
import static org.assertj.core.api.Assertions.assertThat;

import io.turnkeeper.core.Attempt;
import io.turnkeeper.core.UnitId;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The authority's word counts whatever unit is live, and resolves what nobody knows. */
class AuthorityScenariosTest {
  private static final IndexSpec BY_ID = new IndexSpec("by_id", "id", IndexType.BTREE);

  @Test
  void aHeadThatTheHolderItselfCommittedWaitsForItsReport() {
    Scenario scenario = Scenario.prepared().sealed(SHARD, 8).prepare(MERGE_WAL).taken(MERGE_WAL);
    scenario.head(2, 1, scenario.unit(MERGE_WAL).id().sequence(), 1, 1).expectNothing();
    assertThat(scenario.unit(MERGE_WAL).phase()).isEqualTo(Unit.Phase.TAKEN);
    assertThat(scenario.openTurn()).isEqualTo(1);
  }

  @Test
  void aHeadOfAnotherUnitOrAttemptEndsNothing() {
    Scenario scenario = Scenario.prepared(BY_ID).sealed(SHARD, 8).observed(2, 0, 1_000);
    scenario.prepare(MERGE_WAL).prepare(INDEX, 1L);
    long index = scenario.unit(INDEX).id().sequence();
    scenario.head(2, 1, index, 2, 1);
    assertThat(scenario.unit(INDEX).phase()).isEqualTo(Unit.Phase.READY);
    scenario.head(2, 1, 98, 1, 1);
    assertThat(scenario.unit(INDEX).phase()).isEqualTo(Unit.Phase.READY);
    assertThat(scenario.openTurn()).isEqualTo(1);
  }

  @Test
  void aUnitWithoutTheTurnThatTheHeadNamesIsPublished() {
    Scenario scenario = Scenario.prepared(BY_ID).sealed(SHARD, 8).observed(2, 0, 1_000);
    scenario.prepare(MERGE_WAL).prepare(INDEX, 1L);
    scenario.head(3, 1, scenario.unit(INDEX).id().sequence(), 1, 1);
    assertThat(scenario.state().unit(INDEX)).isNull();
    assertThat(scenario.openTurn()).as("another's turn stays open").isEqualTo(1);
    assertThat(scenario.state().done(INDEX).publishedVersion()).isEqualTo(3);
  }

  @Test
  void aHeadThatSaysNothingOfALostTurnLeavesItUnresolved() {
    Scenario scenario = lost();
    scenario.head(1, 0, 0, 0, 1);
    assertThat(scenario.state().turns().unresolved()).isNotNull();
    scenario.head(1, 0, 0, 0, 2);
    assertThat(scenario.state().turns().unresolved()).isNull();
  }

  @Test
  void aHeadThatNamesTheLostTurnResolvesItThoughNoHigherOneWasTaken() {
    Scenario scenario = lost();
    long unit = scenario.unit(MERGE_WAL).id().sequence();
    scenario.head(2, 1, unit, 1, 1);
    assertThat(scenario.state().turns().unresolved()).isNull();
    assertThat(scenario.state().live(unit)).isNull();
    assertThat(scenario.state().ledger()).isEmpty();
  }

  @Test
  void aLostTurnWhoseWorkerStillLivesIsGivenBackWithItsFiles() {
    Scenario scenario = Scenario.prepared().sealed(SHARD, 8).prepare(MERGE_WAL).taken(MERGE_WAL);
    scenario.after(60_000).probeReturned(MERGE_WAL).placed(OBSERVE).claimed(OBSERVE);
    scenario.head(1, 0, 0, 0, 2);
    assertThat(scenario.unit(MERGE_WAL).phase()).isEqualTo(Unit.Phase.READY);
    assertThat(scenario.unit(MERGE_WAL).artifact()).isNotNull();
    assertThat(scenario.unit(MERGE_WAL).attempt()).isEqualTo(1);
  }

  @Test
  void aUnitThatEndedMeanwhileStaysEnded() {
    Scenario scenario = lost();
    scenario.given(
        new PolicyEvent.OperatorActed(
            TABLE, PolicyEvent.Action.CANCEL, MERGE_WAL, "operator", "not now"));
    assertThat(scenario.state().unit(MERGE_WAL)).isNull();
    scenario.head(1, 0, 0, 0, 2);
    assertThat(scenario.state().unit(MERGE_WAL)).isNull();
    assertThat(scenario.state().ledger().get("MERGE_WAL"))
        .extracting(Failure::code)
        .isEqualTo("CANCELLED");
  }

  @Test
  void theHeadOnlyRises() {
    Scenario scenario = Scenario.prepared().head(5, 3, 7, 1, 4).head(4, 2, 6, 1, 2);
    assertThat(scenario.state().head().version()).isEqualTo(5);
    assertThat(scenario.state().turns().highest()).isEqualTo(4);
  }

  @Test
  void decisionsNameTheTurnTheyEnd() {
    Scenario withdrawn = Scenario.prepared().head(1, 0, 0, 0, 6).sealed(SHARD, 8);
    withdrawn.prepare(MERGE_WAL).after(5_000).probeReturned(MERGE_WAL);
    assertThat(withdrawn.last(UnitDecision.WithdrawGrant.class).turn()).isEqualTo(7);
    Scenario expired = Scenario.prepared().head(1, 0, 0, 0, 6).sealed(SHARD, 8);
    expired.prepare(MERGE_WAL).taken(MERGE_WAL).after(60_000).probeReturned(MERGE_WAL);
    assertThat(expired.last(UnitDecision.ExpireTurn.class).turn()).isEqualTo(7);
  }

  @Test
  void onlyAttemptsThatIgnoreThreeGrantsInARowAreGivenUp() {
    Scenario scenario = Scenario.prepared().sealed(SHARD, 8).prepare(MERGE_WAL);
    scenario.after(5_000).probeReturned(MERGE_WAL).after(5_000).probeReturned(MERGE_WAL);
    scenario.taken(MERGE_WAL).refused(MERGE_WAL, "TURN_LOST").after(2_000);
    scenario.after(5_000).probeReturned(MERGE_WAL).after(5_000).probeReturned(MERGE_WAL);
    assertThat(scenario.unit(MERGE_WAL).attempt()).isEqualTo(1);
    scenario.after(5_000).probeReturned(MERGE_WAL);
    assertThat(scenario.unit(MERGE_WAL).attempt()).isEqualTo(2);
    assertThat(scenario.state().ledger().get("MERGE_WAL"))
        .satisfies(entry -> assertThat(entry.code()).isEqualTo("TIMEOUT"));
  }

  @Test
  void aRefusalOfAnotherTurnClosesNothing() {
    Scenario scenario = Scenario.prepared(BY_ID).sealed(SHARD, 8).observed(2, 0, 1_000);
    scenario.prepare(MERGE_WAL).prepare(INDEX, 1L);
    Attempt holder = scenario.attempt(MERGE_WAL);
    Attempt waiting = scenario.attempt(INDEX);
    scenario.given(
        new PublishEvent.PublishRefused(holder, 2, "TURN_LOST", "late"),
        new PublishEvent.PublishRefused(waiting, 1, "TURN_LOST", "not its turn"),
        new PublishEvent.TurnTaken(waiting, 1));
    assertThat(scenario.openTurn()).isEqualTo(1);
    assertThat(scenario.unit(MERGE_WAL).phase()).isEqualTo(Unit.Phase.GRANTED);
    assertThat(scenario.unit(INDEX).phase()).isEqualTo(Unit.Phase.READY);
  }

  @Test
  void aPublicationUnderAnotherTurnIsNotBelieved() {
    Scenario scenario = Scenario.prepared(BY_ID).sealed(SHARD, 8).observed(2, 0, 1_000);
    scenario.prepare(MERGE_WAL).prepare(INDEX, 1L).taken(MERGE_WAL);
    scenario.given(
        published(scenario.attempt(MERGE_WAL), 2), published(scenario.attempt(INDEX), 1));
    assertThat(scenario.unit(MERGE_WAL).phase()).isEqualTo(Unit.Phase.TAKEN);
    assertThat(scenario.unit(INDEX).phase()).isEqualTo(Unit.Phase.READY);
  }

  @Test
  void theLastOfSeveralVersionsIsTheTablesVersion() {
    Scenario scenario = Scenario.prepared().sealed(SHARD, 8).prepare(MERGE_WAL).taken(MERGE_WAL);
    scenario.given(
        new PublishEvent.UnitPublished(
            scenario.attempt(MERGE_WAL),
            1,
            List.of(2L, 3L),
            Collections.emptySortedMap(),
            1,
            1,
            0));
    assertThat(scenario.state().done(MERGE_WAL).publishedVersion()).isEqualTo(3);
  }

  private static PublishEvent published(Attempt attempt, long turn) {
    return new PublishEvent.UnitPublished(
        attempt, turn, List.of(9L), Collections.emptySortedMap(), 1, 1, 0);
  }

  private static Scenario lost() {
    Scenario scenario = Scenario.prepared().sealed(SHARD, 8).prepare(MERGE_WAL).taken(MERGE_WAL);
    scenario.executorRestarted();
    assertThat(scenario.unit(MERGE_WAL).id()).isEqualTo(new UnitId(TABLE, 2));
    return scenario;
  }
}
