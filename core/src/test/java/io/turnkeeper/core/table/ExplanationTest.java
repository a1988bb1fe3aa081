package io.turnkeeper.core.table;

import static io.turnkeeper.core.Kind.COMPACT;
import static io.turnkeeper.core.Kind.INDEX;
import static io.turnkeeper.core.Kind.MERGE_WAL;
import static io.turnkeeper.core.table.Scenario.SHARD;
import static org.assertj.core.api.Assertions.assertThat;

import io.turnkeeper.core.Kind;
import io.turnkeeper.core.partition.Settings;
import io.turnkeeper.core.policy.PolicyDocument;
import org.junit.jupiter.api.Test;

class ExplanationTest {
  private static final IndexSpec BY_ID = new IndexSpec("by_id", "id", IndexType.BTREE);

  @Test
  void immuneTo03ATableNobodyRegisteredSaysSo() {
    Scenario scenario = new Scenario(Settings.DEFAULT, PolicyDocument.EMPTY);
    scenario.sealed(SHARD, 100);
    for (Kind kind : Kind.values()) {
      assertThat(scenario.whyNot(kind)).isEqualTo(new WhyNot.NotRegistered());
    }
  }

  @Test
  void nothingPendingIsNoDemand() {
    assertThat(Scenario.prepared().whyNot(MERGE_WAL)).isInstanceOf(WhyNot.NoDemand.class);
  }

  @Test
  void aFewGenerationsAreBelowTheThreshold() {
    WhyNot reason = Scenario.prepared().sealed(SHARD, 2).whyNot(MERGE_WAL);
    assertThat(reason).isInstanceOf(WhyNot.BelowThreshold.class);
    assertThat(((WhyNot.BelowThreshold) reason).score()).isEqualTo(0.25);
  }

  @Test
  void aRequestedUnitWaitsForItsPlace() {
    WhyNot reason = Scenario.prepared().sealed(SHARD, 8).whyNot(MERGE_WAL);
    assertThat(reason).isInstanceOf(WhyNot.WaitingForPlacement.class);
    assertThat(((WhyNot.WaitingForPlacement) reason).pool()).isEqualTo(Scenario.POOL);
    assertThat(((WhyNot.WaitingForPlacement) reason).needsBytes()).isPositive();
  }

  @Test
  void aRunningUnitIsLive() {
    Scenario scenario = Scenario.prepared().sealed(SHARD, 8).placed(MERGE_WAL).claimed(MERGE_WAL);
    assertThat(scenario.whyNot(MERGE_WAL))
        .isEqualTo(new WhyNot.UnitLive(scenario.unit(MERGE_WAL).id(), Unit.Phase.PREPARING));
  }

  @Test
  void aReadyUnitNamesWhoseTurnItIs() {
    Scenario scenario =
        Scenario.prepared(BY_ID).sealed(SHARD, 8).observed(2, 0, 1_000).prepare(MERGE_WAL);
    scenario.prepare(INDEX, 1L);
    assertThat(scenario.whyNot(INDEX))
        .isEqualTo(
            new WhyNot.WaitingForTurn(scenario.unit(INDEX).id(), scenario.unit(MERGE_WAL).id(), 1));
  }

  @Test
  void compactionYieldsToAnIndexBuildThatHasNoPlanYet() {
    Scenario scenario = Scenario.prepared(BY_ID).observed(2, 0, 1_000);
    scenario.observed(3, 20, 1_000);
    assertThat(scenario.whyNot(COMPACT)).isEqualTo(new WhyNot.Yielding(INDEX));
  }

  @Test
  void aFailureSaysUntilWhen() {
    Scenario scenario = Scenario.prepared().sealed(SHARD, 8).placed(MERGE_WAL).claimed(MERGE_WAL);
    scenario.failed(MERGE_WAL, "IO");
    assertThat(scenario.whyNot(MERGE_WAL))
        .isEqualTo(new WhyNot.Cooldown("IO", scenario.atMillis() + 2_000));
  }

  @Test
  void whatWillNotGetBetterNeedsAttention() {
    Scenario scenario = Scenario.prepared().observed(2, 20, 1_000).placed(COMPACT).claimed(COMPACT);
    scenario.failed(COMPACT, "UNSAFE_TABLE");
    assertThat(scenario.whyNot(COMPACT))
        .isEqualTo(new WhyNot.NeedsAttention("UNSAFE_TABLE", scenario.atMillis() + 3_600_000));
  }

  @Test
  void anOperatorsPauseIsNamed() {
    Scenario scenario = Scenario.prepared();
    scenario.given(
        new PolicyEvent.OperatorActed(
            Scenario.TABLE, PolicyEvent.Action.PAUSE, MERGE_WAL, "operator", "migration"));
    scenario.sealed(SHARD, 8);
    assertThat(scenario.whyNot(MERGE_WAL)).isEqualTo(new WhyNot.ByPolicy("paused by an operator"));
  }
}
