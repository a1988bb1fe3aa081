package io.turnkeeper.core.table;

import static io.turnkeeper.core.Kind.COMPACT;
import static io.turnkeeper.core.Kind.INDEX;
import static io.turnkeeper.core.Kind.MERGE_WAL;
import static io.turnkeeper.core.Kind.OBSERVE;
import static io.turnkeeper.core.Kind.REPAIR;
import static io.turnkeeper.core.Kind.RETIRE;
import static io.turnkeeper.core.table.Scenario.POOL;
import static io.turnkeeper.core.table.Scenario.SHARD;
import static io.turnkeeper.core.table.Scenario.TABLE;
import static org.assertj.core.api.Assertions.assertThat;

import io.turnkeeper.core.Attempt;
import io.turnkeeper.core.ExecutorId;
import io.turnkeeper.core.Kind;
import io.turnkeeper.core.Now;
import io.turnkeeper.core.PoolId;
import io.turnkeeper.core.ShardId;
import io.turnkeeper.core.UnitId;
import io.turnkeeper.core.partition.Settings;
import io.turnkeeper.core.policy.PolicyDocument;
import io.turnkeeper.core.policy.PolicyMode;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RuleScenariosTest {
  private static final IndexSpec BY_ID = new IndexSpec("by_id", "id", IndexType.BTREE);
  private static final long GIB = 1L << 30;
  private static final long WEEK_MILLIS = 7L * 24 * 3_600_000;

  @Test
  void aTableThatIsIdleForLongIsRetiredOnceUntilItChanges() {
    Scenario scenario = Scenario.prepared();
    long written = scenario.atMillis() - WEEK_MILLIS;
    scenario.looked(2, 0, 0, written + 1);
    assertThat(scenario.state().unit(RETIRE)).isNull();
    scenario.after(1).expectOpened(RETIRE, Mode.INSIDE);
    scenario.placed(RETIRE).claimed(RETIRE).taken(RETIRE).given(nothingCommitted(scenario, RETIRE));
    scenario.after(3_600_000).looked(2, 0, 0, written);
    assertThat(scenario.whyNot(RETIRE)).isInstanceOf(WhyNot.NoDemand.class);
    scenario.looked(3, 0, 0, written);
    assertThat(scenario.unit(RETIRE).spec())
        .isInstanceOfSatisfying(
            WorkSpec.Retire.class, spec -> assertThat(spec.keepVersions()).isEqualTo(100));
  }

  @Test
  void garbageMakesRetireDueButNotMoreOftenThanItsInterval() {
    Scenario scenario = Scenario.prepared().looked(2, GIB, 0, Scenario.START_MILLIS);
    assertThat(scenario.whyNot(RETIRE)).isInstanceOf(WhyNot.NoDemand.class);
    scenario.looked(3, GIB + 1, 0, Scenario.START_MILLIS).expectOpened(RETIRE, Mode.INSIDE);
    scenario.placed(RETIRE).claimed(RETIRE).taken(RETIRE).given(nothingCommitted(scenario, RETIRE));
    scenario.looked(4, GIB + 1, 0, Scenario.START_MILLIS);
    assertThat(scenario.whyNot(RETIRE))
        .isEqualTo(new WhyNot.Cooldown("MIN_INTERVAL", scenario.atMillis() + 3_600_000));
    scenario.after(3_600_000).expect(UnitDecision.OpenUnit.class);
  }

  @Test
  void aRetirementSparesWhatIsOlderThanItselfAndLives() {
    Scenario scenario = Scenario.prepared();
    scenario.sealed(SHARD, 100);
    long merge = scenario.unit(MERGE_WAL).id().sequence();
    scenario.looked(2, GIB + 1, 0, Scenario.START_MILLIS).expectOpened(RETIRE, Mode.INSIDE);
    assertThat(scenario.unit(RETIRE).spec()).isEqualTo(new WorkSpec.Retire(100, merge));
  }

  @Test
  void aMissedFileIsRepairedAndTheRepairClearsOnlyThatFailure() {
    Scenario scenario = Scenario.prepared().observed(2, 20, 1_000).placed(COMPACT).claimed(COMPACT);
    scenario.failed(COMPACT, "MISSING_FILE").expectOpened(REPAIR, Mode.INSIDE);
    scenario
        .sealed(SHARD, 8)
        .placed(MERGE_WAL)
        .claimed(MERGE_WAL)
        .failed(MERGE_WAL, "MISSING_FILE");
    scenario.placed(REPAIR).claimed(REPAIR).taken(REPAIR).published(REPAIR, 3);
    assertThat(scenario.state().ledger()).containsOnlyKeys("MERGE_WAL");
    scenario.looked(2, 0, 1, scenario.atMillis());
    assertThat(scenario.state().unit(REPAIR)).as("seen before the repair").isNull();
    scenario.looked(4, 0, 1, scenario.atMillis()).expectOpened(REPAIR, Mode.INSIDE);
  }

  @Test
  void aPlaceGoesBackToThePoolThatGaveIt() {
    Scenario scenario = Scenario.prepared().sealed(SHARD, 8).placed(MERGE_WAL).claimed(MERGE_WAL);
    Attempt attempt = scenario.attempt(MERGE_WAL);
    scenario.given(policy(PolicyDocument.of(draft -> draft.pool = new PoolId("night"))));
    scenario.failed(MERGE_WAL, "IO").given(new ClaimEvent.UnitReleased(attempt, 0));
    assertThat(scenario.last(UnitDecision.EndReservation.class)).isEqualTo(Scenario.ended(attempt));
    scenario.given(new ClaimEvent.UnitReleased(attempt, 0)).expectNothing();
  }

  @Test
  void aPlaceInAPoolThatWasLeftIsGivenBackToIt() {
    Scenario scenario = Scenario.prepared().sealed(SHARD, 8);
    Attempt attempt = scenario.attempt(MERGE_WAL);
    scenario.given(policy(PolicyDocument.of(draft -> draft.pool = new PoolId("night"))));
    scenario.given(new PlacementEvent.UnitPlaced(POOL, attempt, 1_000));
    assertThat(scenario.unit(MERGE_WAL).phase()).isEqualTo(Unit.Phase.REQUESTED);
    assertThat(scenario.last(UnitDecision.EndReservation.class).pool()).isEqualTo(POOL);
  }

  @Test
  void ofAnAttemptThatWasPlacedTwiceOnlyThePlaceThatCameTooLateIsGivenBack() {
    Scenario scenario = Scenario.prepared().sealed(SHARD, 8);
    Attempt early = scenario.attempt(MERGE_WAL);
    Attempt late = new Attempt(early.unit(), 1, early.executor(), early.incarnation() + 1);
    scenario.given(policy(PolicyDocument.of(draft -> draft.mode = PolicyMode.SHADOW)));
    scenario.expect(UnitDecision.WithdrawPlacement.class);
    scenario.given(new PlacementEvent.UnitPlaced(POOL, early, 1_000));
    assertThat(scenario.last(UnitDecision.EndReservation.class)).isEqualTo(Scenario.ended(early));
    scenario.given(policy(PolicyDocument.EMPTY)).expect(UnitDecision.RequestPlacement.class);
    scenario.given(new PlacementEvent.UnitPlaced(POOL, late, 1_000));
    assertThat(scenario.last(Assignment.RunUnit.class).attempt()).isEqualTo(late);
  }

  @Test
  void aPlaceThatIsToldAgainIsNotGivenBack() {
    Scenario scenario = Scenario.prepared().sealed(SHARD, 8).placed(MERGE_WAL).claimed(MERGE_WAL);
    TableState before = scenario.state();
    scenario.given(new PlacementEvent.UnitPlaced(POOL, scenario.attempt(MERGE_WAL), 1_000));
    scenario.expectNothing();
    assertThat(scenario.state()).isEqualTo(before);
  }

  @Test
  void aWorkerThatLetGoWithoutAWordEndsTheAttemptAfterAProbe() {
    Scenario scenario = Scenario.prepared().sealed(SHARD, 8).placed(MERGE_WAL).claimed(MERGE_WAL);
    scenario.given(new ClaimEvent.UnitReleased(scenario.attempt(MERGE_WAL), 0)).after(2_000);
    scenario.expect(UnitDecision.SendProbe.class).expectNone(UnitDecision.FailUnit.class);
    scenario.probeReturned(MERGE_WAL).expect(UnitDecision.FailUnit.class);
    assertThat(scenario.state().unit(MERGE_WAL)).isNull();
  }

  @Test
  void aReleaseReadBeforeTheOutcomeDoesNotHideIt() {
    Scenario scenario = Scenario.prepared().sealed(SHARD, 8).prepare(MERGE_WAL).taken(MERGE_WAL);
    scenario.given(new ClaimEvent.UnitReleased(scenario.attempt(MERGE_WAL), 0));
    scenario.published(MERGE_WAL, 2);
    assertThat(scenario.state().shard(SHARD).pending()).isZero();
    assertThat(scenario.all(UnitDecision.FailUnit.class)).isEmpty();
  }

  @Test
  void handingBackAGrantedUnitFreesTheTurn() {
    Scenario scenario =
        Scenario.prepared(BY_ID).sealed(SHARD, 8).observed(2, 0, 1_000).prepare(MERGE_WAL);
    scenario.prepare(INDEX, 1L);
    scenario.given(new ClaimEvent.UnitDeclined(scenario.attempt(MERGE_WAL), "DRAINING"));
    scenario.expectNextTurn(INDEX, "");
    assertThat(scenario.unit(MERGE_WAL).attempt()).isEqualTo(2);
  }

  @Test
  void whatLiesBehindABadGenerationMakesNothingUrgent() {
    Scenario scenario = Scenario.prepared().sealed(SHARD, 300).placed(MERGE_WAL).claimed(MERGE_WAL);
    scenario.badGeneration(SHARD, 9).prepare(MERGE_WAL).expectNextTurn(MERGE_WAL, "class 2");
    assertThat(Backlog.of(scenario.state().pendingGenerations())).isEqualTo(Backlog.WARN);
  }

  @Test
  void aKnownAgeRaisesTheScoreABoundOnlyPromotes() {
    Scenario known = Scenario.prepared().sealed(SHARD, 1).after(1_800_000).sealed(SHARD, 2);
    assertThat(score(known)).isEqualTo(0.25 * 1.5);
    Scenario bound = Scenario.prepared().sealed(SHARD, 2).after(1_800_000);
    assertThat(score(bound)).isEqualTo(0.25);
    bound.after(1_800_000).expectOpened(MERGE_WAL, Mode.OUTSIDE);
  }

  @Test
  void immuneTo65ADeepBacklogWithLostTimesIsPromotedByItsWait() {
    Scenario scenario = Scenario.prepared();
    for (long generation = 1; generation <= 200; generation++) {
      scenario.sealed(SHARD, generation);
    }
    scenario.prepare(MERGE_WAL).taken(MERGE_WAL).published(MERGE_WAL, 2);
    scenario.prepare(MERGE_WAL).taken(MERGE_WAL).published(MERGE_WAL, 3);
    assertThat(scenario.state().shard(SHARD).knowsOldestFlush()).isFalse();
    scenario.after(600_000);
    assertThat(scenario.all(UnitDecision.RequestPlacement.class))
        .anyMatch(ask -> ask.kind() == MERGE_WAL && ask.rank() == Ranks.URGENT);
  }

  /** Of most generations it is not known any more how large they are. */
  @Test
  void aBacklogBeyondTheMarksIsNotMergedOneByOne() {
    Scenario scenario =
        Scenario.prepared().given(policy(PolicyDocument.of(d -> d.mergeMaxBytes = 100_000L)));
    for (long generation = 1; generation <= 500; generation++) {
      scenario.sealed(SHARD, generation);
    }
    int merges = 0;
    while (scenario.state().shard(SHARD).pending() > 0 && merges < 500) {
      scenario.after(600_000).prepare(MERGE_WAL).taken(MERGE_WAL).published(MERGE_WAL, 2 + merges);
      merges++;
    }
    assertThat(merges).isLessThan(40);
  }

  @Test
  void immuneTo69ShardsBeyondTheLimitAreRefusedVisibly() {
    Scenario scenario = Scenario.prepared();
    for (int shard = 0; shard <= TableState.MAX_SHARDS; shard++) {
      scenario.sealed(new ShardId("w" + shard), 1);
    }
    assertThat(scenario.state().shards()).hasSize(TableState.MAX_SHARDS);
    assertThat(scenario.state().ledger().values())
        .extracting(Failure::code)
        .containsExactly("TOO_MANY_SHARDS");
    scenario.sealed(new ShardId("w0"), 9);
    assertThat(scenario.state().shard(new ShardId("w0")).pending()).isEqualTo(9);
  }

  @Test
  void workThatCommitsIsNotPublishedWithoutATurn() {
    Scenario scenario = Scenario.prepared().sealed(SHARD, 8).prepare(MERGE_WAL).taken(MERGE_WAL);
    scenario.given(
        new PublishEvent.UnitPublished(
            scenario.attempt(MERGE_WAL), 0, List.of(2L), Collections.emptySortedMap(), 0, 0, 0));
    assertThat(scenario.unit(MERGE_WAL).phase()).isEqualTo(Unit.Phase.TAKEN);
  }

  @Test
  void immuneTo56ReportsOfAnotherAttemptChangeNothingAndSayWhy() {
    Scenario scenario = Scenario.prepared().sealed(SHARD, 8).placed(MERGE_WAL).claimed(MERGE_WAL);
    Attempt live = scenario.attempt(MERGE_WAL);
    assertIgnored(scenario, live, Disregarded.NOTHING_NEW);
    assertIgnored(
        scenario,
        new Attempt(live.unit(), 2, live.executor(), live.incarnation()),
        Disregarded.OTHER_ATTEMPT);
    assertIgnored(
        scenario,
        new Attempt(live.unit(), 1, live.executor(), live.incarnation() + 1),
        Disregarded.OTHER_INCARNATION);
    assertIgnored(
        scenario,
        new Attempt(live.unit(), 1, new ExecutorId("zombie"), live.incarnation()),
        Disregarded.OTHER_INCARNATION);
    assertIgnored(
        scenario,
        new Attempt(new UnitId(TABLE, 99), 1, live.executor(), live.incarnation()),
        Disregarded.NO_SUCH_UNIT);
  }

  @Test
  void aMergeThatFindsNothingDoesNotBeginAgainAtOnce() {
    Scenario scenario = Scenario.prepared().sealed(SHARD, 8).placed(MERGE_WAL).claimed(MERGE_WAL);
    scenario.given(new PublishEvent.UnitNoOp(scenario.attempt(MERGE_WAL), 1, "nothing"));
    assertThat(scenario.state().unit(MERGE_WAL)).isNull();
    scenario.after(2_000).expectOpened(MERGE_WAL, Mode.OUTSIDE);
  }

  @Test
  void aWaitingLookEndsBeforeTheOneThatFindsOutBegins() {
    Scenario scenario = Scenario.prepared().sealed(SHARD, 8).prepare(MERGE_WAL).taken(MERGE_WAL);
    scenario.given(
        new PolicyEvent.OperatorActed(
            TABLE, PolicyEvent.Action.TRIGGER, OBSERVE, "operator", "look"));
    UnitId look = scenario.unit(OBSERVE).id();
    scenario.executorRestarted();
    assertThat(scenario.last(UnitDecision.FailUnit.class).unit()).isEqualTo(look);
    assertThat(scenario.unit(OBSERVE).mode()).isEqualTo(Mode.INSIDE);
    assertThat(scenario.state().ledger()).doesNotContainKey("OBSERVE");
  }

  @Test
  void immuneTo10AHigherPeakRaisesTheNextReservation() {
    Scenario scenario = Scenario.prepared().observed(2, 20, 1_000).placed(COMPACT).claimed(COMPACT);
    Attempt attempt = scenario.attempt(COMPACT);
    scenario.failed(COMPACT, "IO").given(new ClaimEvent.UnitReleased(attempt, 3 * GIB));
    scenario.after(2_000);
    assertThat(scenario.last(UnitDecision.RequestPlacement.class).expectedBytes())
        .isEqualTo(3 * GIB);
    assertThat(Done.NOTHING.withPeak(400).withPeak(200).peakBytes()).isEqualTo(350);
  }

  @Test
  void aPausedKindThatHasNoPlaceYetWaits() {
    Scenario scenario = Scenario.prepared().sealed(SHARD, 8);
    scenario.given(
        new PolicyEvent.OperatorActed(
            TABLE, PolicyEvent.Action.PAUSE, MERGE_WAL, "operator", "migration"));
    scenario.expect(UnitDecision.WithdrawPlacement.class).expectReason("not wanted now");
    scenario.given(
        new PolicyEvent.OperatorActed(
            TABLE, PolicyEvent.Action.RESUME, MERGE_WAL, "operator", "done"));
    scenario.expect(UnitDecision.RequestPlacement.class);
  }

  @Test
  void shadowDecidesAndAssignsNothing() {
    Scenario scenario =
        Scenario.prepared().given(policy(PolicyDocument.of(d -> d.mode = PolicyMode.SHADOW)));
    scenario.sealed(SHARD, 8).expect(UnitDecision.OpenUnit.class);
    scenario.expectNone(UnitDecision.RequestPlacement.class);
  }

  /** A policy that was only tried must not be carried out when it is taken back. */
  @ParameterizedTest
  @ValueSource(longs = {0, 1_000})
  void whatWasOpenedInShadowIsNotDoneUnderAnotherPolicy(long laterMillis) {
    Scenario scenario =
        Scenario.prepared()
            .given(
                policy(
                    PolicyDocument.of(
                        d -> {
                          d.mode = PolicyMode.SHADOW;
                          d.retireAfterMillis = 1L;
                          d.retireKeepVersions = 1L;
                        })));
    scenario.after(1_000).looked(2, 0, 0, Scenario.START_MILLIS);
    assertThat(scenario.unit(RETIRE).spec()).isInstanceOf(WorkSpec.Retire.class);
    scenario.after(laterMillis).given(policy(PolicyDocument.EMPTY));
    scenario.expect(UnitDecision.FailUnit.class).expectNone(UnitDecision.RequestPlacement.class);
    assertThat(scenario.state().unit(RETIRE)).isNull();
    assertThat(scenario.state().ledger()).as("it was no failure").isEmpty();
  }

  @Test
  void whatWasOpenedInShadowIsDoneIfItIsWantedAsItIs() {
    Scenario scenario =
        Scenario.prepared().given(policy(PolicyDocument.of(d -> d.mode = PolicyMode.SHADOW)));
    scenario.sealed(SHARD, 8).after(1_000).sealed(SHARD, 9);
    scenario.after(1_000).given(policy(PolicyDocument.EMPTY));
    scenario.expect(UnitDecision.RequestPlacement.class).expectNone(UnitDecision.FailUnit.class);
  }

  @Test
  void aDroppedAndRecreatedTableStartsCleanAndItsNumbersGoOn() {
    Scenario scenario = Scenario.prepared().sealed(SHARD, 8).prepare(MERGE_WAL);
    long unit = scenario.unit(MERGE_WAL).id().sequence();
    scenario.given(new DemandEvent.TableDropped(TABLE, 1));
    scenario.given(
        new DemandEvent.TableRegistered(
            TABLE, 2, "/tables/new", "/wal/new", List.of(), MergeMode.APPEND, List.of()));
    assertThat(scenario.state().shards()).isEmpty();
    assertThat(scenario.unit(OBSERVE).id().sequence()).isGreaterThan(unit);
    assertThat(scenario.state().turns().highest()).isEqualTo(1);
    scenario.head(9, 1, unit, 1, 1);
    assertThat(scenario.state().head()).as("a zombie of the old table").isEqualTo(Head.UNSEEN);
  }

  @Test
  void aGapInTheInputMakesTheTableDueForALook() {
    TableState state = Scenario.prepared().state();
    Now now = new Now(Scenario.START_MILLIS + 1_000, 1_000);
    Context before = new Context(Settings.DEFAULT, PolicyDocument.EMPTY, 0);
    Context after = new Context(Settings.DEFAULT, PolicyDocument.EMPTY, now.atMillis());
    assertThat(TableRules.decide(state, before, now)).isEmpty();
    assertThat(TableRules.decide(state, after, now)).isNotEmpty();
    Context sameTime = new Context(Settings.DEFAULT, PolicyDocument.EMPTY, Scenario.START_MILLIS);
    assertThat(TableRules.decide(state, sameTime, now)).as("just then").isNotEmpty();
  }

  @Test
  void aChangedDefaultPolicyForgetsWhatTheOldOneMadeImpossible() {
    Scenario scenario = Scenario.prepared().observed(2, 20, 1_000).placed(COMPACT).claimed(COMPACT);
    scenario.failed(COMPACT, "BAD_POLICY").given(new PolicyApplied(TABLE, 1));
    scenario.expectOpened(COMPACT, Mode.OUTSIDE).given(new PolicyApplied(TABLE, 1)).expectNothing();
  }

  private static void assertIgnored(Scenario scenario, Attempt attempt, Disregarded reason) {
    TableState before = scenario.state();
    PublishEvent event = new PublishEvent.PublishRefused(attempt, 7, "STALE_TURN", "late");
    scenario.given(event).expectNothing();
    assertThat(scenario.state()).isEqualTo(before);
    assertThat(Disregarded.of(event, before, scenario.state())).isEqualTo(reason);
  }

  private static double score(Scenario scenario) {
    return ((WhyNot.BelowThreshold) scenario.whyNot(MERGE_WAL)).score();
  }

  private static PublishEvent nothingCommitted(Scenario scenario, Kind kind) {
    return new PublishEvent.UnitPublished(
        scenario.attempt(kind),
        scenario.openTurn(),
        List.of(),
        Collections.emptySortedMap(),
        0,
        0,
        0);
  }

  private static PolicyEvent policy(PolicyDocument document) {
    return new PolicyEvent.PolicySet(TABLE, document, "operator", "test");
  }
}
