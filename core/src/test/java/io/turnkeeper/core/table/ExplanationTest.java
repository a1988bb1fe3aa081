package io.turnkeeper.core.table;

import static io.turnkeeper.core.Kind.COMPACT;
import static io.turnkeeper.core.Kind.INDEX;
import static io.turnkeeper.core.Kind.MERGE_WAL;
import static io.turnkeeper.core.Kind.OBSERVE;
import static io.turnkeeper.core.Kind.RETIRE;
import static io.turnkeeper.core.table.Scenario.SHARD;
import static org.assertj.core.api.Assertions.assertThat;

import io.turnkeeper.core.Kind;
import io.turnkeeper.core.Now;
import io.turnkeeper.core.PoolId;
import io.turnkeeper.core.UnitId;
import io.turnkeeper.core.partition.Settings;
import io.turnkeeper.core.policy.PolicyDocument;
import io.turnkeeper.core.table.DemandEvent.IndexObserved;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
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
  void aDemandSaysWhatItWasWorkedOutFrom() {
    IndexObserved index = new IndexObserved("by_id", "id", IndexType.BTREE, 3, 1, false);
    Scenario scenario = Scenario.prepared(BY_ID).sealed(SHARD, 2).observed(2, 2, 1_000, index);
    assertThat(inputs(scenario, MERGE_WAL)).startsWith("2 generations, ").contains(" bytes, age ");
    assertThat(inputs(scenario, COMPACT)).isEqualTo("2 small fragments at version 2");
    assertThat(inputs(scenario, INDEX)).isEqualTo("by_id: 3 fragments uncovered");
    assertThat(inputs(scenario, RETIRE)).startsWith("idle for ").endsWith(" bytes of garbage");
    assertThat(inputs(scenario, OBSERVE)).isEqualTo("observed 0 ms ago");
    assertThat(inputs(scenario.observed(3, 0, 0), INDEX)).isEqualTo("no rows at version 3");
    assertThat(inputs(Scenario.prepared(), INDEX)).isEqualTo("no index wanted");
  }

  private static String inputs(Scenario scenario, Kind kind) {
    WhyNot reason = scenario.whyNot(kind);
    return reason instanceof WhyNot.BelowThreshold below
        ? below.inputs()
        : ((WhyNot.NoDemand) reason).inputs();
  }

  @Test
  void aUnitIsPromotedFromItsLongestWaitOn() {
    Scenario scenario = Scenario.prepared().sealed(SHARD, 8);
    Unit merge = scenario.unit(MERGE_WAL);
    Context context = new Context(Settings.DEFAULT, PolicyDocument.EMPTY, 0);
    long at = merge.requestedAtMillis() + 600_000;
    assertThat(Explanation.isPromoted(merge, scenario.state(), context, new Now(at - 1, 0)))
        .isFalse();
    assertThat(Explanation.isPromoted(merge, scenario.state(), context, new Now(at, 0))).isTrue();
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

  /** The names are part of what programs read, so they stay. */
  @Test
  void everyReasonHasItsName() {
    Map<String, String> names = new TreeMap<>();
    for (Class<?> reason : WhyNot.class.getPermittedSubclasses()) {
      names.put(reason.getSimpleName(), "");
    }
    UnitId unit = new UnitId(Scenario.TABLE, 1);
    for (WhyNot reason :
        List.of(
            new WhyNot.NotRegistered(),
            new WhyNot.NoDemand(""),
            new WhyNot.BelowThreshold(0.5, ""),
            new WhyNot.Cooldown("IO", 1),
            new WhyNot.ByPolicy("mode"),
            new WhyNot.UnitLive(unit, Unit.Phase.PLACED),
            new WhyNot.WaitingForPlacement(unit, new PoolId("default"), 1),
            new WhyNot.WaitingForTurn(unit, null, 1),
            new WhyNot.Yielding(Kind.INDEX),
            new WhyNot.NeedsAttention("IO", 1))) {
      names.put(reason.getClass().getSimpleName(), reason.reason());
    }
    assertThat(names.values())
        .containsExactly(
            "BELOW_THRESHOLD",
            "POLICY",
            "COOLDOWN",
            "NEEDS_ATTENTION",
            "NO_DEMAND",
            "NOT_REGISTERED",
            "UNIT_LIVE",
            "WAITING_FOR_PLACEMENT",
            "WAITING_FOR_TURN",
            "YIELDING");
  }
}
