package io.turnkeeper.core.table;

import static io.turnkeeper.core.Kind.COMPACT;
import static io.turnkeeper.core.Kind.MERGE_WAL;
import static io.turnkeeper.core.Kind.OBSERVE;
import static io.turnkeeper.core.table.Scenario.EXECUTOR;
import static io.turnkeeper.core.table.Scenario.POOL;
import static io.turnkeeper.core.table.Scenario.SHARD;
import static io.turnkeeper.core.table.Scenario.TABLE;
import static org.assertj.core.api.Assertions.assertThat;

import io.turnkeeper.core.Attempt;
import io.turnkeeper.core.ExecutorId;
import io.turnkeeper.core.PoolId;
import io.turnkeeper.core.UnitId;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** What each ending leaves behind: the turn, the place, and a line in the ledger. */
class OutcomeScenariosTest {
  private static final ExecutorId OTHER = new ExecutorId("worker-2");

  @Test
  void aUnitThatFitsNowhereEndsAndNeedsAttention() {
    Scenario scenario = Scenario.prepared().sealed(SHARD, 8);
    UnitId unit = scenario.unit(MERGE_WAL).id();
    scenario.given(refusal(new PoolId("night"), unit, 1), refusal(POOL, unit, 2));
    assertThat(scenario.unit(MERGE_WAL).phase()).isEqualTo(Unit.Phase.REQUESTED);
    scenario.given(refusal(POOL, unit, 1));
    assertThat(scenario.state().unit(MERGE_WAL)).isNull();
    assertThat(scenario.whyNot(MERGE_WAL))
        .isEqualTo(new WhyNot.NeedsAttention("NEEDS_MORE_MEMORY", scenario.atMillis() + 3_600_000));
  }

  @Test
  void whatFitNowhereIsAskedForAtOnceWhenAnExecutorJoinsThatCanHoldIt() {
    Scenario scenario = Scenario.prepared().sealed(SHARD, 8);
    UnitId unit = scenario.unit(MERGE_WAL).id();
    scenario.given(refusal(POOL, unit, 1)).after(60_000).expectNothing();
    scenario.given(askAgain(unit)).expectOpened(MERGE_WAL, Mode.OUTSIDE);
    scenario.expect(UnitDecision.RequestPlacement.class);
    scenario.given(refusal(POOL, scenario.unit(MERGE_WAL).id(), 1));
    assertThat(Objects.requireNonNull(scenario.state().ledger().get("MERGE_WAL")).attempts())
        .as("it is counted on")
        .isEqualTo(2);
  }

  @Test
  void anotherFailureWaitsAsLongAsBeforeWhoeverJoins() {
    Scenario scenario = Scenario.prepared().sealed(SHARD, 8).placed(MERGE_WAL);
    UnitId unit = scenario.unit(MERGE_WAL).id();
    scenario.failed(MERGE_WAL, "CORRUPT_FILE").given(askAgain(unit)).expectNothing();
    assertThat(scenario.whyNot(MERGE_WAL))
        .isEqualTo(new WhyNot.NeedsAttention("CORRUPT_FILE", scenario.atMillis() + 3_600_000));
  }

  @Test
  void anUnknownOutcomeIsFoundOutAndAFailureIsNot() {
    Scenario unknown = Scenario.prepared().sealed(SHARD, 8).prepare(MERGE_WAL).taken(MERGE_WAL);
    unknown.failed(MERGE_WAL, "OUTCOME_UNKNOWN").expectOpened(OBSERVE, Mode.INSIDE);
    assertThat(unknown.state().turns().unresolved()).isNotNull();
    assertThat(unknown.unit(MERGE_WAL).placement()).isNull();
    assertThat(unknown.state().ledger()).containsKey("MERGE_WAL");
    Scenario failed = Scenario.prepared().sealed(SHARD, 8).prepare(MERGE_WAL).taken(MERGE_WAL);
    failed.failed(MERGE_WAL, "IO");
    assertThat(failed.state().turns().unresolved()).isNull();
    assertThat(failed.state().turns().open()).isNull();
    assertThat(failed.state().unit(MERGE_WAL)).isNull();
    Scenario before = Scenario.prepared().sealed(SHARD, 8).placed(MERGE_WAL).claimed(MERGE_WAL);
    before.failed(MERGE_WAL, "OUTCOME_UNKNOWN");
    assertThat(before.state().unit(MERGE_WAL)).as("it had no turn").isNull();
  }

  @Test
  void aFailureThatSaysNothingToDoIsNoFailure() {
    Scenario scenario = Scenario.prepared().observed(2, 20, 1_000).placed(COMPACT).claimed(COMPACT);
    scenario.failed(COMPACT, "NOTHING_TO_DO");
    assertThat(scenario.state().ledger()).isEmpty();
    assertThat(scenario.state().done(COMPACT).nothingAtVersion()).isEqualTo(2);
    assertThat(scenario.whyNot(COMPACT)).isInstanceOf(WhyNot.NoDemand.class);
  }

  @Test
  void aUnitThatIsHandedBackGivesItsPlaceBackAndSaysWhoDeclined() {
    Scenario scenario = Scenario.prepared().sealed(SHARD, 8).placed(MERGE_WAL);
    scenario.given(new ClaimEvent.UnitDeclined(scenario.attempt(MERGE_WAL), "DRAINING"));
    scenario.expect(UnitDecision.EndReservation.class);
    assertThat(scenario.state().held()).extracting(TableState.Held::kind).doesNotContain(MERGE_WAL);
    assertThat(scenario.state().ledger().get("MERGE_WAL"))
        .satisfies(entry -> assertThat(entry.message()).isEqualTo("handed back by worker-1"));
  }

  @Test
  void losingOneExecutorCostsNothingThatRunsOnAnother() {
    Scenario scenario = Scenario.prepared().sealed(SHARD, 8).placed(MERGE_WAL).claimed(MERGE_WAL);
    scenario.observed(2, 40, 1_000);
    Attempt compaction = new Attempt(scenario.unit(COMPACT).id(), 1, OTHER, 1);
    scenario.given(new PlacementEvent.UnitPlaced(POOL, compaction, 1_000));
    scenario
        .given(new PlacementEvent.ExecutorLost(TABLE, EXECUTOR, 0, List.of(), false))
        .expectNothing();
    assertThat(scenario.state().held())
        .as("only an earlier start is gone")
        .extracting(TableState.Held::kind)
        .containsExactly(OBSERVE, MERGE_WAL, COMPACT);
    scenario.given(new PlacementEvent.ExecutorLost(TABLE, OTHER, 1, List.of(), false));
    assertThat(scenario.last(Assignment.CancelUnit.class).attempt()).isEqualTo(compaction);
    assertThat(scenario.state().held())
        .extracting(TableState.Held::attempt)
        .contains(scenario.attempt(MERGE_WAL))
        .doesNotContain(compaction);
    assertThat(scenario.unit(MERGE_WAL).attempt()).isEqualTo(1);
    assertThat(scenario.unit(COMPACT).attempt()).isEqualTo(2);
    assertThat(scenario.state().ledger()).containsOnlyKeys("COMPACT");
  }

  @Test
  void whatASilentExecutorWasGivenStaysReservedUntilItSaysThatItDoesNotRun() {
    Scenario scenario = Scenario.prepared().sealed(SHARD, 8).placed(MERGE_WAL);
    Attempt attempt = scenario.attempt(MERGE_WAL);
    scenario.given(new PlacementEvent.ExecutorLost(TABLE, EXECUTOR, 1, List.of(), true));
    assertThat(scenario.last(Assignment.CancelUnit.class).attempt()).isEqualTo(attempt);
    assertThat(scenario.state().held()).extracting(TableState.Held::attempt).contains(attempt);
    scenario.given(new ClaimEvent.UnitReleased(attempt, 0));
    assertThat(scenario.last(UnitDecision.EndReservation.class)).isEqualTo(Scenario.ended(attempt));
    assertThat(scenario.state().held())
        .extracting(TableState.Held::attempt)
        .doesNotContain(attempt);
  }

  @Test
  void immuneTo16ATableWithNothingToCompactAsksForNoPlaceUntilItChanges() {
    Scenario scenario = Scenario.prepared().observed(2, 40, 1_000).placed(COMPACT).claimed(COMPACT);
    scenario.given(new PublishEvent.UnitNoOp(scenario.attempt(COMPACT), 2, "all are large"));
    for (int hour = 0; hour < 24; hour++) {
      scenario.after(3_600_000).observed(2, 40, 1_000);
      assertThat(scenario.state().unit(COMPACT)).isNull();
    }
    assertThat(scenario.observed(3, 40, 1_000).state().unit(COMPACT)).isNotNull();
  }

  @Test
  void immuneTo17ABrokenTableIsTriedOnceAWindowHoweverMuchIsSealedMeanwhile() {
    Scenario scenario = Scenario.prepared().sealed(SHARD, 8).placed(MERGE_WAL).claimed(MERGE_WAL);
    scenario.failed(MERGE_WAL, "PERMISSION_DENIED");
    for (int minute = 1; minute < 60; minute++) {
      scenario.after(60_000).sealed(SHARD, 8 + minute * 10L);
      assertThat(scenario.state().unit(MERGE_WAL)).as("minute %d", minute).isNull();
    }
    scenario.after(60_000).expect(UnitDecision.OpenUnit.class);
    scenario.placed(MERGE_WAL).claimed(MERGE_WAL).failed(MERGE_WAL, "PERMISSION_DENIED");
    assertThat(scenario.sealed(SHARD, 900).state().unit(MERGE_WAL)).isNull();
  }

  @Test
  void immuneTo20ANewUnitGoesOnCountingTheFailuresOfTheLast() {
    Scenario scenario = Scenario.prepared().sealed(SHARD, 8);
    for (int failures = 1; failures <= 5; failures++) {
      long unit = scenario.unit(MERGE_WAL).id().sequence();
      scenario.placed(MERGE_WAL).claimed(MERGE_WAL).failed(MERGE_WAL, "IO");
      assertThat(scenario.state().ledger().get("MERGE_WAL"))
          .extracting(Failure::attempts)
          .isEqualTo(failures);
      scenario.after(900_000);
      assertThat(scenario.unit(MERGE_WAL).id().sequence()).isGreaterThan(unit);
    }
  }

  @Test
  void aClaimTimeoutIsInTheLedgerUntilASuccess() {
    Scenario scenario = Scenario.prepared().sealed(SHARD, 8).placed(MERGE_WAL);
    scenario.after(30_000).probeReturned(MERGE_WAL);
    assertThat(scenario.state().ledger().get("MERGE_WAL"))
        .satisfies(entry -> assertThat(entry.code()).isEqualTo("CLAIM_TIMEOUT"));
    scenario.after(2_000).prepare(MERGE_WAL).taken(MERGE_WAL).published(MERGE_WAL, 2);
    assertThat(scenario.state().ledger()).isEmpty();
  }

  @Test
  void whatIsCancelledInItsTurnMayHaveCommittedAndIsFoundOut() {
    Scenario scenario = Scenario.plain().observed(2, 20, 1_000).placed(COMPACT).claimed(COMPACT);
    scenario.taken(COMPACT).after(600_000).probeReturned(COMPACT);
    scenario.expect(Assignment.CancelUnit.class).after(2_000).probeReturned(COMPACT);
    scenario.expect(UnitDecision.FailUnit.class).expectOpened(OBSERVE, Mode.INSIDE);
    assertThat(scenario.state().turns().unresolved()).isNotNull();
    assertThat(scenario.state().turns().open()).isNull();
  }

  @Test
  void aCancelledUnitThatWaitsForAPlaceTakesItsRequestBack() {
    Scenario scenario = Scenario.prepared().sealed(SHARD, 8);
    UnitId unit = scenario.unit(MERGE_WAL).id();
    scenario.given(
        new PolicyEvent.OperatorActed(
            TABLE, PolicyEvent.Action.CANCEL, MERGE_WAL, "operator", "too early"));
    assertThat(scenario.last(UnitDecision.EndReservation.class))
        .isEqualTo(new UnitDecision.EndReservation(unit, 1, POOL, null, 0));
    assertThat(scenario.state().ledger().get("MERGE_WAL"))
        .satisfies(entry -> assertThat(entry.code()).isEqualTo("CANCELLED"));
  }

  @Test
  void aWorkerThatMeasuredNothingTeachesNothing() {
    Scenario scenario = Scenario.prepared().sealed(SHARD, 8).placed(MERGE_WAL).claimed(MERGE_WAL);
    scenario.given(new ClaimEvent.UnitReleased(scenario.attempt(MERGE_WAL), 0));
    assertThat(scenario.state().done()).doesNotContainKey(MERGE_WAL);
  }

  @Test
  void aBadGenerationThatIsMendedIsForgotten() {
    Scenario scenario = Scenario.prepared().sealed(SHARD, 8).placed(MERGE_WAL).claimed(MERGE_WAL);
    scenario.badGeneration(SHARD, 1);
    assertThat(scenario.state().ledger()).containsOnlyKeys("MERGE_WAL:s0");
    scenario.after(3_600_000).prepare(MERGE_WAL).taken(MERGE_WAL).published(MERGE_WAL, 2);
    assertThat(scenario.state().ledger()).isEmpty();
    assertThat(scenario.state().shard(SHARD).badGeneration()).isZero();
  }

  private static PlacementEvent askAgain(UnitId unit) {
    return new PlacementEvent.PlacementRefused(
        POOL, unit, 1, PlacementEvent.PlacementRefused.ASK_AGAIN);
  }

  private static PlacementEvent refusal(PoolId pool, UnitId unit, int attempt) {
    return new PlacementEvent.PlacementRefused(pool, unit, attempt, "NEEDS_MORE_MEMORY");
  }
}
