package io.turnkeeper.core.table;

import static io.turnkeeper.core.Kind.COMPACT;
import static io.turnkeeper.core.Kind.INDEX;
import static io.turnkeeper.core.Kind.MERGE_WAL;
import static io.turnkeeper.core.Kind.OBSERVE;
import static io.turnkeeper.core.table.Scenario.SHARD;
import static io.turnkeeper.core.table.Scenario.TABLE;
import static org.assertj.core.api.Assertions.assertThat;

import io.turnkeeper.core.Kind;
import io.turnkeeper.core.partition.Settings;
import io.turnkeeper.core.policy.PolicyDocument;
import io.turnkeeper.core.policy.PolicyMode;
import io.turnkeeper.core.table.PolicyEvent.Action;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What people can do to a table, and what it leaves alone. */
class OperatorScenariosTest {
  @Test
  void aPolicyForgetsWhatTheOldOneMadeImpossibleAndNothingElse() {
    Scenario scenario = broken();
    scenario.given(policy(PolicyDocument.of(draft -> draft.compactMinFragments = 4L)));
    assertThat(scenario.state().ledger()).containsOnlyKeys("MERGE_WAL");
    scenario.expectOpened(COMPACT, Mode.OUTSIDE);
  }

  @Test
  void aClearedPolicyLeavesTheDefaults() {
    Scenario scenario =
        Scenario.prepared().given(policy(PolicyDocument.of(d -> d.mergeMinGenerations = 100L)));
    scenario.sealed(SHARD, 8).expectNothing();
    scenario.given(new PolicyEvent.PolicyCleared(TABLE, "operator", "as before"));
    scenario.expectOpened(MERGE_WAL, Mode.OUTSIDE);
  }

  @Test
  void aPolicyIsAReasonToLookForWorkAgain() {
    Scenario scenario = Scenario.prepared().observed(2, 20, 1_000).placed(COMPACT).claimed(COMPACT);
    scenario.failed(COMPACT, "NOTHING_TO_DO").observed(2, 20, 1_000).expectNothing();
    scenario.given(policy(PolicyDocument.EMPTY)).expectOpened(COMPACT, Mode.OUTSIDE);
  }

  @Test
  void anOlderDefaultPolicyIsNoNews() {
    Scenario scenario = Scenario.prepared().given(new PolicyApplied(TABLE, 2));
    TableState state = scenario.state();
    assertThat(scenario.given(new PolicyApplied(TABLE, 2)).state()).isSameAs(state);
    assertThat(scenario.given(new PolicyApplied(TABLE, 1)).state()).isSameAs(state);
    assertThat(scenario.given(new PolicyApplied(TABLE, 3)).state().defaultsVersion()).isEqualTo(3);
  }

  @Test
  void aNewDefaultPolicyForgetsWhatTheOldOneMadeImpossibleAndNothingElse() {
    Scenario scenario = broken().given(new PolicyApplied(TABLE, 1));
    assertThat(scenario.state().ledger()).containsOnlyKeys("MERGE_WAL");
  }

  @Test
  void aPausedKindBeginsNothingTheOthersGoOn() {
    Scenario scenario = Scenario.prepared().given(act(Action.PAUSE, COMPACT));
    scenario.given(act(Action.PAUSE, MERGE_WAL), act(Action.PAUSE, COMPACT));
    assertThat(scenario.state().paused())
        .as("each once, in order")
        .containsExactly(MERGE_WAL, COMPACT);
    scenario.sealed(SHARD, 8).observed(2, 40, 10).expectNothing();
    assertThat(scenario.whyNot(MERGE_WAL)).isEqualTo(new WhyNot.ByPolicy("paused by an operator"));
    scenario.given(act(Action.RESUME, MERGE_WAL)).expectOpened(MERGE_WAL, Mode.OUTSIDE);
    assertThat(scenario.state().paused()).containsExactly(COMPACT);
    scenario.given(act(Action.RESUME, null)).expectOpened(COMPACT, Mode.OUTSIDE);
  }

  @Test
  void aWholeTableIsPaused() {
    Scenario scenario = Scenario.prepared().given(act(Action.PAUSE, null)).sealed(SHARD, 8);
    scenario.after(3_600_000).expectNothing();
    assertThat(scenario.state().paused()).containsExactly(Kind.values());
  }

  @Test
  void aWishForgetsTheFailureOfItsKindAndNoOther() {
    Scenario scenario = broken().given(act(Action.TRIGGER, COMPACT));
    assertThat(scenario.state().ledger()).containsOnlyKeys("MERGE_WAL");
    scenario.expectOpened(COMPACT, Mode.OUTSIDE);
    assertThat(scenario.state().triggered()).isEmpty();
  }

  @Test
  void aWishLooksForWorkAgainWhereNoneWasFound() {
    Scenario scenario = Scenario.prepared().observed(2, 20, 1_000).placed(COMPACT).claimed(COMPACT);
    scenario.failed(COMPACT, "NOTHING_TO_DO").given(act(Action.TRIGGER, COMPACT));
    scenario.expectOpened(COMPACT, Mode.OUTSIDE);
  }

  @Test
  void aWishOutlivesTheWaitForSomethingToDo() {
    Scenario scenario = Scenario.prepared().given(act(Action.TRIGGER, MERGE_WAL)).expectNothing();
    scenario.sealed(SHARD, 1).expectOpened(MERGE_WAL, Mode.OUTSIDE);
  }

  @Test
  void aCancelOfNothingIsNothing() {
    Scenario scenario = Scenario.prepared().given(act(Action.CANCEL, null)).expectNothing();
    assertThat(scenario.state().cancels()).isEmpty();
  }

  @Test
  void modesAndKindsAreNamedWhenTheyForbid() {
    Scenario drained =
        Scenario.prepared().given(policy(PolicyDocument.of(d -> d.mode = PolicyMode.DRAIN)));
    drained.observed(2, 20, 10).sealed(SHARD, 8).expectOpened(MERGE_WAL, Mode.OUTSIDE);
    assertThat(drained.whyNot(COMPACT)).isEqualTo(new WhyNot.ByPolicy("mode"));
    Scenario frozen =
        Scenario.prepared().given(policy(PolicyDocument.of(d -> d.mode = PolicyMode.FROZEN)));
    assertThat(frozen.sealed(SHARD, 8).whyNot(MERGE_WAL)).isEqualTo(new WhyNot.ByPolicy("mode"));
    frozen.after(300_000).expectOpened(OBSERVE, Mode.OUTSIDE);
    Scenario merges =
        Scenario.prepared().given(policy(PolicyDocument.of(d -> d.kinds = List.of(MERGE_WAL))));
    assertThat(merges.whyNot(INDEX)).isEqualTo(new WhyNot.ByPolicy("kinds"));
    merges.sealed(SHARD, 8).expectOpened(MERGE_WAL, Mode.OUTSIDE);
  }

  @Test
  void aLostTurnIsFoundOutWhateverThePolicySays() {
    Scenario scenario = Scenario.prepared().sealed(SHARD, 8).prepare(MERGE_WAL).taken(MERGE_WAL);
    scenario.given(policy(PolicyDocument.of(draft -> draft.kinds = List.of(INDEX))));
    scenario.given(act(Action.PAUSE, null)).executorRestarted();
    scenario.expectOpened(OBSERVE, Mode.INSIDE).expect(UnitDecision.RequestPlacement.class);
  }

  @Test
  void onlyListedTablesArePreparedOutsideAndThePolicyBeatsTheLists() {
    assertThat(Settings.DEFAULT.preparing(List.of("flights"), List.of()).preparesCompaction(TABLE))
        .isTrue();
    Settings none = Settings.DEFAULT.preparing(List.of("trains"), List.of("trains"));
    assertThat(none.preparesCompaction(TABLE)).isFalse();
    assertThat(none.preparesIndex(TABLE)).isFalse();
    assertThat(Settings.DEFAULT.preparing(List.of(), List.of("*")).preparesIndex(TABLE)).isTrue();
    Scenario inside =
        Scenario.prepared().given(policy(PolicyDocument.of(d -> d.prepareCompact = false)));
    inside.observed(2, 20, 10).expectOpened(COMPACT, Mode.INSIDE);
    Scenario outside =
        Scenario.plain().given(policy(PolicyDocument.of(d -> d.prepareCompact = true)));
    outside.observed(2, 20, 10).expectOpened(COMPACT, Mode.OUTSIDE);
  }

  @Test
  void aGenerationIsSkippedOnlyWhereThereIsALog() {
    TableState before = Scenario.prepared().state();
    PolicyEvent skip = new PolicyEvent.GenerationSkipped(TABLE, 1, SHARD, 3, "operator", "lost");
    assertThat(Scenario.prepared().given(skip).state()).isEqualTo(before);
  }

  /** A compaction that cannot be while its policy holds, and a merge that will be tried again. */
  private static Scenario broken() {
    Scenario scenario = Scenario.prepared().observed(2, 20, 1_000).placed(COMPACT).claimed(COMPACT);
    scenario.failed(COMPACT, "BAD_POLICY").sealed(SHARD, 8).placed(MERGE_WAL).claimed(MERGE_WAL);
    return scenario.failed(MERGE_WAL, "IO");
  }

  private static PolicyEvent act(Action action, @Nullable Kind kind) {
    return new PolicyEvent.OperatorActed(TABLE, action, kind, "operator", "because");
  }

  private static PolicyEvent policy(PolicyDocument document) {
    return new PolicyEvent.PolicySet(TABLE, document, "operator", "test");
  }
}
