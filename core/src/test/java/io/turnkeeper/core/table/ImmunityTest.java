package io.turnkeeper.core.table;

import static io.turnkeeper.core.Kind.COMPACT;
import static io.turnkeeper.core.Kind.INDEX;
import static io.turnkeeper.core.Kind.MERGE_WAL;
import static io.turnkeeper.core.Kind.OBSERVE;
import static io.turnkeeper.core.table.Scenario.SHARD;
import static io.turnkeeper.core.table.Scenario.TABLE;
import static org.assertj.core.api.Assertions.assertThat;

import io.turnkeeper.core.Attempt;
import io.turnkeeper.core.Kind;
import io.turnkeeper.core.policy.PolicyDocument;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Incidents that schedulers like this one had, by the number docs/rules.md lists them under. */
class ImmunityTest {
  private static final IndexSpec BY_ID = new IndexSpec("by_id", "id", IndexType.BTREE);
  private static final long IDLE_MILLIS = 3_000;

  @Test
  void immuneTo05AMergeNeverRaisesAWriterEpoch() {
    Scenario scenario = Scenario.prepared().sealed(SHARD, 8).prepare(MERGE_WAL);
    scenario.taken(MERGE_WAL).published(MERGE_WAL, 2);
    assertThat(scenario.state().shard(SHARD).writerEpoch()).isEqualTo(1);
  }

  @Test
  void immuneTo06AMergeStatesItsLimitsAndTheRestFollowsByItself() {
    Scenario scenario = withMostGenerations(16);
    for (long generation = 1; generation <= 40; generation++) {
      scenario.sealed(SHARD, generation);
    }
    assertThat(rangeOf(scenario)).isEqualTo(new WorkSpec.GenerationRange(1, 8));
    scenario.prepare(MERGE_WAL).taken(MERGE_WAL).published(MERGE_WAL, 2);
    assertThat(rangeOf(scenario)).isEqualTo(new WorkSpec.GenerationRange(9, 24));
    scenario.prepare(MERGE_WAL).taken(MERGE_WAL).published(MERGE_WAL, 3);
    assertThat(rangeOf(scenario)).isEqualTo(new WorkSpec.GenerationRange(25, 40));
  }

  @Test
  void immuneTo12TheTurnIsGivenOnlyAfterTheDataIsRead() {
    Scenario scenario = Scenario.prepared().sealed(SHARD, 8).placed(MERGE_WAL).claimed(MERGE_WAL);
    scenario.progressed(MERGE_WAL, 1).expectNone(Assignment.GrantTurn.class);
    scenario.ready(MERGE_WAL).expectNextTurn(MERGE_WAL, "class 2, ready for 0 ms");
  }

  @Test
  void immuneTo13TwoHundredMergesLeaveNoMoreBehindThanTen() {
    Scenario scenario = Scenario.prepared();
    int after10 = 0;
    for (int merge = 1; merge <= 200; merge++) {
      scenario.sealed(SHARD, 8L * merge).prepare(MERGE_WAL).taken(MERGE_WAL);
      Attempt attempt = scenario.attempt(MERGE_WAL);
      scenario.published(MERGE_WAL, 1 + merge).given(new ClaimEvent.UnitReleased(attempt, 1_000));
      after10 = merge == 10 ? scenario.state().toString().length() : after10;
    }
    assertThat(scenario.state().toString().length()).isLessThan(after10 + 100);
  }

  @Test
  void immuneTo21TwelveFailuresAreTwelve() {
    Scenario scenario = Scenario.prepared().sealed(SHARD, 8);
    for (int failure = 0; failure < 12; failure++) {
      scenario.placed(MERGE_WAL).claimed(MERGE_WAL).failed(MERGE_WAL, "IO").after(900_000);
    }
    assertThat(scenario.state().ledger().get("MERGE_WAL"))
        .extracting(Failure::attempts)
        .isEqualTo(12);
  }

  @Test
  void immuneTo24ACodeNobodyKnowsIsTriedAgainSoonAndSeen() {
    Scenario scenario = Scenario.prepared().sealed(SHARD, 8).placed(MERGE_WAL).claimed(MERGE_WAL);
    scenario.failed(MERGE_WAL, "FROM_TOMORROW");
    assertThat(scenario.whyNot(MERGE_WAL))
        .isEqualTo(new WhyNot.NeedsAttention("FROM_TOMORROW", scenario.atMillis() + 2_000));
    scenario.after(2_000).expectOpened(MERGE_WAL, Mode.OUTSIDE);
  }

  @Test
  void immuneTo26OneStepASecondSurvivesASilentBuildDoesNot() {
    Scenario scenario = impatient().observed(2, 0, 1_000).placed(INDEX).claimed(INDEX);
    for (int second = 1; second <= 8; second++) {
      scenario.after(1_000).progressed(INDEX, second).expectNothing();
    }
    scenario.after(IDLE_MILLIS - 1).expectNothing();
    scenario.after(1).probeReturned(INDEX).expect(Assignment.CancelUnit.class);
    scenario.after(2_000).probeReturned(INDEX).expect(UnitDecision.FailUnit.class);
    assertThat(scenario.state().ledger().get("INDEX"))
        .satisfies(entry -> assertThat(entry.code()).isEqualTo("STALLED"))
        .satisfies(entry -> assertThat(entry.message()).isEqualTo(SilenceRules.STALL_MESSAGE));
  }

  @Test
  void immuneTo28AReportThatDoesNotAdvanceProlongsNothing() {
    Scenario scenario = impatient().observed(2, 0, 1_000).placed(INDEX).claimed(INDEX);
    scenario.progressed(INDEX, 7).after(IDLE_MILLIS - 1).progressed(INDEX, 7).expectNothing();
    scenario.after(1).expect(UnitDecision.SendProbe.class);
  }

  @Test
  void immuneTo31ProgressReadBeforeTheCancelIsDecidedVoidsIt() {
    Scenario scenario = impatient().observed(2, 0, 1_000).placed(INDEX).claimed(INDEX);
    scenario.after(IDLE_MILLIS).expect(UnitDecision.SendProbe.class);
    long probe = scenario.unit(INDEX).silence().probe();
    scenario.progressed(INDEX, 1).given(new Probe(scenario.unit(INDEX).id(), probe));
    scenario.expectNothing().after(IDLE_MILLIS - 1).expectNothing();
  }

  @Test
  void immuneTo32AnOutageIsNoStall() {
    Scenario scenario = impatient().observed(2, 0, 1_000).placed(INDEX).claimed(INDEX);
    scenario.afterDowntime(600_000).expectNone(UnitDecision.SendProbe.class);
    scenario.after(IDLE_MILLIS - 1).expectNothing();
  }

  @Test
  void immuneTo33APreparedIndexIsPublishedWithinTwoTurnsOfEndlessMerges() {
    Scenario scenario = Scenario.prepared(BY_ID).sealed(SHARD, 1_000).observed(2, 0, 1_000);
    scenario.prepare(MERGE_WAL).prepare(INDEX, 1L);
    int turns = 0;
    while (scenario.unit(INDEX).phase() == Unit.Phase.READY) {
      scenario.taken(MERGE_WAL).sealed(SHARD, 2_000 + 100L * turns);
      scenario.published(MERGE_WAL, 3 + turns).prepare(MERGE_WAL);
      turns++;
    }
    assertThat(turns).isLessThanOrEqualTo(2);
  }

  @Test
  void immuneTo37NoTurnIsHeldByAUnitThatWaitsForAPlace() {
    Scenario scenario = Scenario.plain().observed(2, 20, 1_000).expectOpened(COMPACT, Mode.INSIDE);
    scenario.sealed(SHARD, 8).prepare(MERGE_WAL);
    scenario.expectNextTurn(MERGE_WAL, "").taken(MERGE_WAL).published(MERGE_WAL, 3);
    scenario.placed(COMPACT).expectNone(Assignment.GrantTurn.class);
    scenario.claimed(COMPACT).expectNextTurn(COMPACT, "");
  }

  @Test
  void immuneTo38APublicationFreesTheTurnBeforeAnythingElseIsDone() {
    Scenario scenario = Scenario.prepared(BY_ID).sealed(SHARD, 8).observed(2, 0, 1_000);
    scenario.prepare(MERGE_WAL).prepare(INDEX, 1L).taken(MERGE_WAL);
    scenario.published(MERGE_WAL, 3).expectNextTurn(INDEX, "");
    assertThat(scenario.state().held()).extracting(TableState.Held::kind).contains(MERGE_WAL);
  }

  @Test
  void immuneTo39AUnitThatWaitsForAPlaceIsPromotedInTheEnd() {
    Scenario scenario = Scenario.prepared().sealed(SHARD, 8);
    assertThat(scenario.after(599_999).unit(MERGE_WAL).asked())
        .extracting(Unit.Asked::rank)
        .isEqualTo(Ranks.DUE_MERGE);
    assertThat(scenario.after(1).unit(MERGE_WAL).asked())
        .extracting(Unit.Asked::rank)
        .isEqualTo(Ranks.URGENT);
  }

  @Test
  void immuneTo42RepeatedAndLateWordOfATurnIsFoldedOnce() {
    Scenario scenario = Scenario.prepared().sealed(SHARD, 8).prepare(MERGE_WAL);
    Attempt attempt = scenario.attempt(MERGE_WAL);
    scenario.given(new PublishEvent.TurnTaken(attempt, 7)).expectNothing();
    assertThat(scenario.unit(MERGE_WAL).phase()).as("not its turn").isEqualTo(Unit.Phase.GRANTED);
    TableState once = scenario.taken(MERGE_WAL).state();
    assertThat(scenario.after(1_000).taken(MERGE_WAL).state()).isEqualTo(once);
  }

  @Test
  void immuneTo43WhatAFencedOffWorkerSaysChangesNothing() {
    Scenario scenario = Scenario.prepared().sealed(SHARD, 8).prepare(MERGE_WAL).taken(MERGE_WAL);
    Attempt fenced = scenario.attempt(MERGE_WAL);
    TableState before = scenario.executorRestarted().state();
    scenario.given(
        new PublishEvent.UnitPublished(
            fenced, 1, List.of(2L), Collections.emptySortedMap(), 1, 1, 0),
        new ClaimEvent.UnitReleased(fenced, 1_000),
        new PublishEvent.PublishRefused(fenced, 1, "TURN_LOST", "late"));
    assertThat(scenario.state()).isEqualTo(before);
  }

  @Test
  void immuneTo45WhatAnEarlierStartPreparedIsNotPublished() {
    Scenario scenario = Scenario.prepared(BY_ID).sealed(SHARD, 8).observed(2, 0, 1_000);
    scenario.prepare(MERGE_WAL).prepare(INDEX, 1L).taken(MERGE_WAL).executorRestarted();
    scenario.placed(OBSERVE).claimed(OBSERVE).head(2, 0, 0, 0, 2);
    scenario.given(
        new PublishEvent.PublishRefused(scenario.attempt(OBSERVE), 2, "TURN_LOST", "released"));
    assertThat(scenario.all(Assignment.GrantTurn.class))
        .extracting(grant -> grant.attempt().unit())
        .doesNotContain(scenario.unit(INDEX).id());
    assertThat(scenario.unit(INDEX).artifact()).isNull();
  }

  @Test
  void immuneTo48ACancelNobodyHearsEndsTheUnitAllTheSame() {
    Scenario scenario = Scenario.prepared().sealed(SHARD, 8).placed(MERGE_WAL).claimed(MERGE_WAL);
    scenario.given(
        new PolicyEvent.OperatorActed(
            TABLE, PolicyEvent.Action.CANCEL, MERGE_WAL, "operator", "not now"));
    scenario.expect(Assignment.CancelUnit.class).after(1_999).expectNothing();
    scenario.after(1).probeReturned(MERGE_WAL).expect(UnitDecision.FailUnit.class);
    scenario.expect(Assignment.CancelUnit.class); // Whoever still runs it is told once more.
    assertThat(scenario.state().unit(MERGE_WAL)).isNull();
  }

  @Test
  void immuneTo49ALostHolderIsFoundOutFromEventsAlone() {
    Scenario scenario = Scenario.prepared().sealed(SHARD, 8).prepare(MERGE_WAL).taken(MERGE_WAL);
    scenario.executorRestarted().expectOpened(OBSERVE, Mode.INSIDE);
    assertThat(scenario.last(UnitDecision.RequestPlacement.class).rank()).isEqualTo(Ranks.RECOVERY);
  }

  @Test
  void immuneTo51WhatOneMergeLeavesIsMergedWithoutAScan() {
    Scenario scenario = withMostGenerations(16);
    scenario.sealed(SHARD, 17).prepare(MERGE_WAL).taken(MERGE_WAL).published(MERGE_WAL, 2);
    assertThat(scenario.state().shard(SHARD).pending()).isEqualTo(1);
    scenario.after(3_600_000).prepare(MERGE_WAL).taken(MERGE_WAL).published(MERGE_WAL, 3);
    assertThat(scenario.state().shard(SHARD).pending()).isZero();
  }

  @Test
  void immuneTo76APublicationReportedTwiceCountsOnce() {
    Scenario scenario = Scenario.prepared().sealed(SHARD, 8).prepare(MERGE_WAL).taken(MERGE_WAL);
    PublishEvent published =
        new PublishEvent.UnitPublished(
            scenario.attempt(MERGE_WAL), 1, List.of(2L), Collections.emptySortedMap(), 1, 1, 0);
    TableState once = scenario.given(published).state();
    assertThat(scenario.given(published).state()).isEqualTo(once);
  }

  @Test
  void immuneTo81ThePolicySaysWhichIndexIsBuilt() {
    IndexSpec zones = new IndexSpec("by_id", "id", IndexType.ZONEMAP);
    Scenario scenario = Scenario.prepared(BY_ID);
    scenario.given(policy(PolicyDocument.of(draft -> draft.indexes = List.of(zones))));
    scenario.observed(2, 0, 1_000);
    assertThat(((WorkSpec.BuildIndex) scenario.unit(INDEX).spec()).index()).isEqualTo(zones);
  }

  private static Scenario withMostGenerations(long most) {
    return Scenario.prepared()
        .given(policy(PolicyDocument.of(draft -> draft.mergeMaxGenerations = most)));
  }

  /** A table whose work is given up after three silent seconds. */
  private static Scenario impatient() {
    return Scenario.prepared(BY_ID)
        .given(policy(PolicyDocument.of(draft -> draft.idleTimeoutMillis = IDLE_MILLIS)));
  }

  private static WorkSpec.GenerationRange rangeOf(Scenario scenario) {
    Unit merge = scenario.unit(Kind.MERGE_WAL);
    return Objects.requireNonNull(((WorkSpec.MergeWal) merge.spec()).ranges().get(SHARD));
  }

  private static PolicyEvent policy(PolicyDocument document) {
    return new PolicyEvent.PolicySet(TABLE, document, "operator", "test");
  }
}
