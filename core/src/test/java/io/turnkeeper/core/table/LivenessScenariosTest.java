package io.turnkeeper.core.table;

import static io.turnkeeper.core.Kind.MERGE_WAL;
import static io.turnkeeper.core.Kind.OBSERVE;
import static io.turnkeeper.core.table.Scenario.SHARD;
import static io.turnkeeper.core.table.Scenario.TABLE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.turnkeeper.core.Attempt;
import io.turnkeeper.core.ExecutorId;
import io.turnkeeper.core.PoolId;
import io.turnkeeper.core.Require;
import io.turnkeeper.core.UnitId;
import io.turnkeeper.core.policy.PolicyDocument;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Ways in which a table once stood still for ever, or took its partition along. */
class LivenessScenariosTest {
  private static final ExecutorId OTHER = new ExecutorId("worker-2");

  @Test
  void theFinderOfALostTurnMayDieToo() {
    Scenario scenario = Scenario.prepared().sealed(SHARD, 8).prepare(MERGE_WAL).taken(MERGE_WAL);
    scenario.executorRestarted().placed(OBSERVE).claimed(OBSERVE);
    scenario.executorRestarted().after(2_000).expect(UnitDecision.RequestPlacement.class);
    scenario.placed(OBSERVE).claimed(OBSERVE).expectNextTurn(OBSERVE, "class 0");
    scenario.head(1, 0, 0, 0, scenario.openTurn());
    assertThat(scenario.state().turns().unresolved()).isNull();
  }

  @Test
  void theFinderMayDieOnAnotherExecutor() {
    Scenario scenario = lostMerge();
    Attempt finder = new Attempt(scenario.unit(OBSERVE).id(), 1, OTHER, 1);
    scenario.given(new PlacementEvent.UnitPlaced(Scenario.POOL, finder, 1_000));
    scenario.given(new ClaimEvent.UnitClaimed(finder));
    scenario.given(new PlacementEvent.ExecutorLost(TABLE, OTHER, 1, List.of(), false));
    assertThat(scenario.state().turns().unresolved()).isNotNull();
    assertThat(scenario.unit(OBSERVE).phase()).isEqualTo(Unit.Phase.REQUESTED);
  }

  @Test
  void theWorkerOfALostTurnMayDieWhileItIsFoundOut() {
    Scenario scenario = lostMerge().executorRestarted();
    assertThat(scenario.unit(MERGE_WAL).placement()).isNull();
    scenario.placed(OBSERVE).claimed(OBSERVE).head(1, 0, 0, 0, scenario.openTurn());
    assertThat(scenario.unit(MERGE_WAL).attempt()).isEqualTo(2);
  }

  @Test
  void aTurnTakenLateAndCommittedCountsThoughItWasGivenAgain() {
    Scenario scenario = Scenario.prepared().sealed(SHARD, 8).prepare(MERGE_WAL);
    long unit = scenario.unit(MERGE_WAL).id().sequence();
    scenario.after(5_000).probeReturned(MERGE_WAL);
    assertThat(scenario.openTurn()).isEqualTo(2);
    scenario.headMerged(2, 1, unit, 8);
    assertThat(scenario.state().unit(MERGE_WAL)).isNull();
    assertThat(scenario.state().turns().open()).isNull();
  }

  @Test
  void anAttemptThatTakesNoneOfItsTurnsIsGivenUp() {
    Scenario scenario = Scenario.prepared().sealed(SHARD, 8).prepare(MERGE_WAL);
    for (int grant = 0; grant < 3; grant++) {
      scenario.after(5_000).probeReturned(MERGE_WAL);
    }
    assertThat(scenario.unit(MERGE_WAL).attempt()).isEqualTo(2);
    scenario.expect(Assignment.CancelUnit.class);
  }

  @Test
  void aFinderThatFailsIsTriedAgainSoonButNotAtOnce() {
    Scenario scenario = Scenario.prepared().sealed(SHARD, 8).prepare(MERGE_WAL).taken(MERGE_WAL);
    scenario.executorRestarted().placed(OBSERVE).claimed(OBSERVE).failed(OBSERVE, "NO_SUCH_TABLE");
    assertThat(scenario.state().unit(OBSERVE)).isNull();
    scenario.after(30_000).expectOpened(OBSERVE, Mode.INSIDE);
  }

  @Test
  void aCancelNeverHitsALaterUnit() {
    Scenario scenario = Scenario.prepared().sealed(SHARD, 8).prepare(MERGE_WAL).taken(MERGE_WAL);
    scenario.given(
        new PolicyEvent.OperatorActed(
            TABLE, PolicyEvent.Action.CANCEL, MERGE_WAL, "operator", "too early"));
    scenario.published(MERGE_WAL, 2).sealed(SHARD, 16);
    assertThat(scenario.all(UnitDecision.FailUnit.class)).isEmpty();
    assertThat(scenario.unit(MERGE_WAL).phase()).isEqualTo(Unit.Phase.REQUESTED);
  }

  @Test
  void aDroppedTableTellsItsWorkersToStop() {
    Scenario scenario = Scenario.prepared().sealed(SHARD, 8).placed(MERGE_WAL).claimed(MERGE_WAL);
    Attempt attempt = scenario.attempt(MERGE_WAL);
    scenario.given(new DemandEvent.TableDropped(TABLE, 1)).expect(Assignment.CancelUnit.class);
    scenario.expectNone(UnitDecision.EndReservation.class);
    scenario
        .given(new ClaimEvent.UnitReleased(attempt, 0))
        .expect(UnitDecision.EndReservation.class);
  }

  @Test
  void aWaitingUnitFollowsItsTableIntoAnotherPool() {
    Scenario scenario = Scenario.prepared().sealed(SHARD, 8);
    scenario.given(new PolicyEvent.PolicySet(TABLE, inPool("night"), "operator", "cheaper"));
    scenario.expect(UnitDecision.WithdrawPlacement.class);
    scenario.expectReason("the policy names pool night");
    assertThat(scenario.last(UnitDecision.RequestPlacement.class).pool())
        .isEqualTo(new PoolId("night"));
  }

  @Test
  void limitsThatNoRuleCanUseAreRefusedWithTheFieldsName() {
    assertThatThrownBy(() -> withMaxGenerations(0L)).hasMessageContaining("merge.maxGenerations");
    assertThatThrownBy(() -> withMaxGenerations(Long.MAX_VALUE))
        .hasMessageContaining("merge.maxGenerations");
  }

  @Test
  void aTurnThatLeavesNoHigherOneIsRefused() {
    Attempt attempt = new Attempt(new UnitId(TABLE, 1), 1, OTHER, 1);
    assertThatThrownBy(
            () ->
                new PublishEvent.HeadObserved(
                    attempt, 1, 1, 0, 0, 0, Require.MAX_NUMBER, Collections.emptySortedMap()))
        .isInstanceOf(IllegalArgumentException.class);
    new PublishEvent.HeadObserved(
        attempt, 1, 1, 0, 0, 0, Require.MAX_NUMBER - 1, new TreeMap<>(Map.of(SHARD, 1L)));
  }

  private static Scenario lostMerge() {
    Scenario scenario = Scenario.prepared().sealed(SHARD, 8).prepare(MERGE_WAL).taken(MERGE_WAL);
    return scenario.after(60_000).probeReturned(MERGE_WAL).expect(UnitDecision.ExpireTurn.class);
  }

  private static PolicyDocument inPool(String pool) {
    return PolicyDocument.of(draft -> draft.pool = new PoolId(pool));
  }

  private static PolicyDocument withMaxGenerations(long most) {
    return PolicyDocument.of(draft -> draft.mergeMaxGenerations = most);
  }
}
