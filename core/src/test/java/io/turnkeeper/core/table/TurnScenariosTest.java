package io.turnkeeper.core.table;

import static io.turnkeeper.core.Kind.COMPACT;
import static io.turnkeeper.core.Kind.INDEX;
import static io.turnkeeper.core.Kind.MERGE_WAL;
import static io.turnkeeper.core.Kind.OBSERVE;
import static io.turnkeeper.core.table.Scenario.OTHER_SHARD;
import static io.turnkeeper.core.table.Scenario.SHARD;
import static org.assertj.core.api.Assertions.assertThat;

import io.turnkeeper.core.Kind;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TurnScenariosTest {
  private static final IndexSpec BY_ID = new IndexSpec("by_id", "id", IndexType.BTREE);

  @Test
  void aReadyMergeGetsTheTurnAtOnce() {
    Scenario.prepared().sealed(SHARD, 8).prepare(MERGE_WAL).expectNextTurn(MERGE_WAL, "class 2");
  }

  @Test
  void onlyOneTurnIsOpenAtATime() {
    Scenario scenario =
        Scenario.prepared(BY_ID).sealed(SHARD, 8).observed(2, 0, 1_000).prepare(MERGE_WAL);
    scenario.prepare(INDEX, 1L).expectNone(Assignment.GrantTurn.class);
    scenario.taken(MERGE_WAL).published(MERGE_WAL, 2).expectNextTurn(INDEX, "class 2");
  }

  @Test
  void immuneTo01MergesStarvingCompaction() {
    Scenario scenario = Scenario.prepared().observed(2, 40, 1_000);
    scenario.sealed(SHARD, 1_000).prepare(MERGE_WAL);
    scenario.taken(MERGE_WAL).published(MERGE_WAL, 2);
    scenario.prepare(MERGE_WAL).expectNextTurn(MERGE_WAL, "class 1");
    scenario.prepare(COMPACT, 1L).after(5_000).probeReturned(MERGE_WAL);
    // Urgent merges come first, but after two turns in a row the prepared compaction is served.
    scenario.expectNextTurn(COMPACT, "max-consecutive-turns: MERGE_WAL has had 2");
  }

  @Test
  void turnNumbersRiseAndJumpPastWhatTheAuthoritySaw() {
    Scenario scenario = Scenario.prepared().sealed(SHARD, 8).prepare(MERGE_WAL);
    assertThat(scenario.openTurn()).isEqualTo(1);
    scenario.head(1, 0, 0, 0, 41).refused(MERGE_WAL, "STALE_TURN").after(2_000);
    scenario.expectNextTurn(MERGE_WAL, "");
    assertThat(scenario.openTurn()).isEqualTo(42);
  }

  @ParameterizedTest
  @ValueSource(strings = {"STALE_TURN", "TURN_LOST", "AUTHORITY_UNAVAILABLE"})
  void aTurnThatCameToNothingKeepsThePreparation(String code) {
    Scenario scenario = Scenario.prepared().sealed(SHARD, 8).prepare(MERGE_WAL);
    long unit = scenario.unit(MERGE_WAL).id().sequence();
    scenario.refused(MERGE_WAL, code).after(2_000).expect(Assignment.GrantTurn.class);
    assertThat(scenario.unit(MERGE_WAL).id().sequence()).isEqualTo(unit);
    assertThat(scenario.unit(MERGE_WAL).artifact()).isNotNull();
  }

  @Test
  void aRefusedTurnIsNotGivenAgainAtOnce() {
    Scenario scenario = Scenario.prepared().sealed(SHARD, 8).prepare(MERGE_WAL);
    for (long pauseMillis : List.of(2_000L, 2_000L, 30_000L, 60_000L)) {
      scenario.refused(MERGE_WAL, "TURN_LOST").expectNone(Assignment.GrantTurn.class);
      assertThat(scenario.whyNot(MERGE_WAL))
          .isEqualTo(new WhyNot.Cooldown("TURN_LOST", scenario.atMillis() + pauseMillis));
      scenario.after(pauseMillis - 1).expectNone(Assignment.GrantTurn.class);
      scenario.after(1).expectNextTurn(MERGE_WAL, "");
    }
    scenario.taken(MERGE_WAL).published(MERGE_WAL, 2);
    assertThat(scenario.state().ledger()).isEmpty();
  }

  @Test
  void aKindThatHadItsTurnInVainGoesBehindThoseThatWaitedMeanwhile() {
    Scenario scenario = Scenario.prepared(BY_ID).observed(2, 40, 1_000).prepare(COMPACT, 1L);
    scenario.after(1).prepare(INDEX, 2L);
    scenario.after(5_000).probeReturned(COMPACT).expect(UnitDecision.WithdrawGrant.class);
    scenario.expectNextTurn(INDEX, "class 2");
  }

  @Test
  void aCommitWhoseWorkerDiedBeforeItsLookIsLookedAt() {
    Scenario scenario = Scenario.prepared().observed(2, 0, 1_000).after(299_999);
    scenario.head(3, 1, 1, 1, 1).expectNone(UnitDecision.OpenUnit.class);
    scenario.after(1).expect(UnitDecision.OpenUnit.class);
    assertThat(scenario.unit(OBSERVE).kind()).isEqualTo(OBSERVE);
  }

  @Test
  void aStalePreparationEndsTheUnitAndIsTriedAgainSoon() {
    Scenario scenario = Scenario.prepared().observed(2, 20, 1_000);
    scenario.prepare(COMPACT, 1L).refused(COMPACT, "STALE_PREPARATION");
    assertThat(scenario.state().unit(COMPACT)).isNull();
    scenario.after(2_000).expectOpened(COMPACT, Mode.OUTSIDE);
  }

  @Test
  void twoStalePreparationsInARowMoveTheWorkInside() {
    Scenario scenario = Scenario.prepared().observed(2, 20, 1_000);
    long usual = mostSources(scenario);
    scenario.prepare(COMPACT, 1L).refused(COMPACT, "STALE_PREPARATION").after(2_000);
    scenario.prepare(COMPACT, 1L).refused(COMPACT, "STALE_PREPARATION").after(2_000);
    scenario.expectOpened(COMPACT, Mode.INSIDE);
    assertThat(mostSources(scenario)).as("a small bite, since others wait").isEqualTo(usual / 8);
    scenario.placed(COMPACT).claimed(COMPACT).expectNextTurn(COMPACT, "");
  }

  private static long mostSources(Scenario scenario) {
    return ((WorkSpec.Compact) scenario.unit(COMPACT).spec()).maxSourceFragments();
  }

  @Test
  void findingNothingMeanwhileDoesNotMoveTheWorkOutAgain() {
    Scenario scenario = Scenario.prepared().observed(2, 20, 1_000);
    scenario.prepare(COMPACT, 1L).refused(COMPACT, "STALE_PREPARATION").after(2_000);
    scenario.prepare(COMPACT, 1L).refused(COMPACT, "STALE_PREPARATION").after(2_000);
    scenario.placed(COMPACT).claimed(COMPACT);
    scenario.given(
        new PublishEvent.UnitNoOp(scenario.attempt(COMPACT), 2, "all are another's sources"));
    scenario.observed(3, 20, 1_000).expectOpened(COMPACT, Mode.INSIDE);
  }

  @Test
  void aGrantThatIsNotTakenIsWithdrawnAfterAProbe() {
    Scenario scenario = Scenario.prepared().sealed(SHARD, 8).prepare(MERGE_WAL);
    scenario.after(5_000).expect(UnitDecision.SendProbe.class);
    scenario.expectNone(UnitDecision.WithdrawGrant.class);
    scenario.probeReturned(MERGE_WAL).expect(UnitDecision.WithdrawGrant.class);
    scenario.expectNextTurn(MERGE_WAL, "");
    assertThat(scenario.openTurn()).isEqualTo(2);
  }

  @Test
  void aBacklogOfTurnTakenIsNotSilence() {
    Scenario scenario = Scenario.prepared().sealed(SHARD, 8).prepare(MERGE_WAL).after(5_000);
    scenario.expect(UnitDecision.SendProbe.class);
    scenario.taken(MERGE_WAL).given(new Probe(scenario.unit(MERGE_WAL).id(), 1)).expectNothing();
    assertThat(scenario.unit(MERGE_WAL).phase()).isEqualTo(Unit.Phase.TAKEN);
  }

  @Test
  void downtimeExpiresNothing() {
    Scenario.prepared().sealed(SHARD, 8).prepare(MERGE_WAL).afterDowntime(200_000).expectNothing();
  }

  @Test
  void aTakenTurnThatIsNotPublishedIsFoundOutByAHigherTurn() {
    Scenario scenario = Scenario.prepared().sealed(SHARD, 8).prepare(MERGE_WAL).taken(MERGE_WAL);
    scenario.after(60_000).probeReturned(MERGE_WAL).expect(UnitDecision.ExpireTurn.class);
    scenario.expectOpened(OBSERVE, Mode.INSIDE).expectNone(Assignment.GrantTurn.class);
    scenario.placed(OBSERVE).claimed(OBSERVE).expectNextTurn(OBSERVE, "class 0");
    assertThat(scenario.openTurn()).isEqualTo(2);
  }

  @Test
  void committedButNeverReportedIsPublishedWhenTheHeadIsSeen() {
    Scenario scenario = Scenario.prepared().sealed(SHARD, 8).prepare(MERGE_WAL).taken(MERGE_WAL);
    long unit = scenario.unit(MERGE_WAL).id().sequence();
    scenario.executorRestarted().expectOpened(OBSERVE, Mode.INSIDE);
    scenario.placed(OBSERVE).claimed(OBSERVE).headMerged(2, 1, unit, 8);
    assertThat(scenario.state().unit(MERGE_WAL)).isNull();
    assertThat(scenario.state().shard(SHARD).mergedThrough()).isEqualTo(8);
    assertThat(scenario.state().turns().unresolved()).isNull();
  }

  @Test
  void notCommittedIsTriedAgainWithANewAttempt() {
    Scenario scenario = Scenario.prepared().sealed(SHARD, 8).prepare(MERGE_WAL).taken(MERGE_WAL);
    scenario.executorRestarted().placed(OBSERVE).claimed(OBSERVE).head(1, 0, 0, 0, 2);
    assertThat(scenario.unit(MERGE_WAL).phase()).isEqualTo(Unit.Phase.REQUESTED);
    assertThat(scenario.unit(MERGE_WAL).attempt()).isEqualTo(2);
    scenario.taken(OBSERVE);
    scenario.given(
        new PublishEvent.UnitPublished(
            scenario.attempt(OBSERVE),
            2,
            java.util.List.of(),
            java.util.Collections.emptySortedMap(),
            0,
            0,
            0));
    scenario.after(2_000).expect(UnitDecision.RequestPlacement.class);
  }

  @Test
  void anExecutorLostBeforeTheTurnCostsOnlyTheAttempt() {
    Scenario scenario = Scenario.prepared().sealed(SHARD, 8).placed(MERGE_WAL).claimed(MERGE_WAL);
    scenario.executorRestarted();
    assertThat(scenario.unit(MERGE_WAL).attempt()).isEqualTo(2);
    assertThat(scenario.state().turns().unresolved()).isNull();
    scenario.after(2_000).expect(UnitDecision.RequestPlacement.class);
  }

  @Test
  void anUnclaimedPlacementIsPlacedAgain() {
    Scenario scenario = Scenario.prepared().sealed(SHARD, 8).placed(MERGE_WAL);
    scenario.after(30_000).probeReturned(MERGE_WAL).expect(UnitDecision.FailUnit.class);
    assertThat(scenario.unit(MERGE_WAL).attempt()).isEqualTo(2);
    scenario.expect(Assignment.CancelUnit.class).expectNone(UnitDecision.EndReservation.class);
  }

  @Test
  void aStalledPreparationIsCancelledWithTheKnownMessage() {
    Scenario scenario = Scenario.prepared().sealed(SHARD, 8).placed(MERGE_WAL).claimed(MERGE_WAL);
    scenario.progressed(MERGE_WAL, 7).after(600_000).probeReturned(MERGE_WAL);
    Assignment.CancelUnit cancel = scenario.last(Assignment.CancelUnit.class);
    assertThat(cancel.message()).isEqualTo("maintenance preparation made no progress");
    assertThat(cancel.sequence()).isEqualTo(7);
  }

  @Test
  void immuneTo30ASlowPreparationThatProgressesIsNeverCancelled() {
    Scenario scenario = Scenario.prepared().sealed(SHARD, 8).placed(MERGE_WAL).claimed(MERGE_WAL);
    for (int hour = 1; hour <= 24; hour++) {
      scenario.after(599_999).progressed(MERGE_WAL, hour).expectNothing();
    }
  }

  @Test
  void progressAfterTheCancelVoidsIt() {
    Scenario scenario = Scenario.prepared().sealed(SHARD, 8).placed(MERGE_WAL).claimed(MERGE_WAL);
    scenario.after(600_000).probeReturned(MERGE_WAL).expect(Assignment.CancelUnit.class);
    scenario.progressed(MERGE_WAL, 1).after(2_000).expectNothing();
    assertThat(scenario.unit(MERGE_WAL).cancellation()).isNull();
  }

  @Test
  void aBadGenerationStopsOnlyItsShard() {
    Scenario scenario = Scenario.prepared().sealed(SHARD, 12).sealed(OTHER_SHARD, 8);
    scenario.placed(MERGE_WAL).claimed(MERGE_WAL).badGeneration(SHARD, 3);
    WorkSpec.MergeWal next = (WorkSpec.MergeWal) scenario.unit(MERGE_WAL).spec();
    assertThat(next.ranges().get(SHARD)).isEqualTo(new WorkSpec.GenerationRange(1, 2));
    assertThat(next.ranges().get(OTHER_SHARD)).isEqualTo(new WorkSpec.GenerationRange(1, 8));
    scenario.prepare(MERGE_WAL).taken(MERGE_WAL).published(MERGE_WAL, 2);
    assertThat(scenario.state().unit(MERGE_WAL)).isNull();
    scenario.given(
        new PolicyEvent.GenerationSkipped(
            Scenario.TABLE, 1, SHARD, 3, "operator", "lost for good"));
    WorkSpec.MergeWal rest = (WorkSpec.MergeWal) scenario.unit(MERGE_WAL).spec();
    assertThat(rest.ranges().get(SHARD)).isEqualTo(new WorkSpec.GenerationRange(3, 12));
    assertThat(rest.skipped().get(SHARD)).containsExactly(3L);
  }

  @Test
  void immuneTo36MergesGoOnWhileAnIndexIsPrepared() {
    Scenario scenario = Scenario.prepared(BY_ID).sealed(SHARD, 8).observed(2, 0, 1_000);
    scenario.placed(INDEX).claimed(INDEX);
    for (long version = 3; version < 6; version++) {
      scenario.prepare(MERGE_WAL).expectNextTurn(MERGE_WAL, "");
      scenario.taken(MERGE_WAL).published(MERGE_WAL, version);
      scenario.sealed(SHARD, 8 * version);
    }
    assertThat(scenario.unit(INDEX).phase()).isEqualTo(Unit.Phase.PREPARING);
  }

  @Test
  void compactionStaysClearOfWhatALiveIndexBuildReads() {
    Scenario scenario = Scenario.prepared(BY_ID).observed(2, 20, 1_000);
    scenario.expectOpened(COMPACT, Mode.OUTSIDE);
    assertThat(scenario.state().unit(INDEX)).isNull();
    scenario.placed(COMPACT).claimed(COMPACT);
    scenario.given(
        new CheckpointEvent.PreparationPlanned(
            scenario.attempt(COMPACT), 2, java.util.List.of(4L, 5L)));
    WorkSpec.BuildIndex index = (WorkSpec.BuildIndex) scenario.unit(INDEX).spec();
    assertThat(index.excludedFragments()).containsExactly(4L, 5L);
  }

  @Test
  void nothingIsDoneForATableThatIsNotRegistered() {
    Scenario scenario =
        new Scenario(
            io.turnkeeper.core.partition.Settings.DEFAULT,
            io.turnkeeper.core.policy.PolicyDocument.EMPTY);
    scenario.sealed(SHARD, 1_000).expectNothing();
    for (Kind kind : Kind.values()) {
      assertThat(scenario.state().unit(kind)).isNull();
    }
  }
}
