package io.turnkeeper.core.table;

import static io.turnkeeper.core.Kind.COMPACT;
import static io.turnkeeper.core.Kind.INDEX;
import static io.turnkeeper.core.Kind.MERGE_WAL;
import static io.turnkeeper.core.Kind.OBSERVE;
import static io.turnkeeper.core.Kind.REPAIR;
import static io.turnkeeper.core.Kind.RETIRE;
import static io.turnkeeper.core.table.Scenario.SHARD;
import static io.turnkeeper.core.table.Scenario.TABLE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.turnkeeper.core.Kind;
import io.turnkeeper.core.ShardId;
import io.turnkeeper.core.partition.Settings;
import io.turnkeeper.core.policy.PolicyDocument;
import io.turnkeeper.core.table.DemandEvent.IndexObserved;
import io.turnkeeper.core.table.DemandEvent.SealSource;
import io.turnkeeper.core.table.DemandEvent.TableObserved;
import io.turnkeeper.core.table.DemandEvent.TableRegistered;
import io.turnkeeper.core.table.DemandEvent.WalSealed;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Demand at its borders, and what it asks for. */
class DemandScenariosTest {
  private static final IndexSpec BY_ID = new IndexSpec("by_id", "id", IndexType.BTREE);
  private static final IndexSpec BY_DAY = new IndexSpec("by_day", "day", IndexType.ZONEMAP);
  private static final long MIB = 1L << 20;

  @Test
  void immuneTo04AMergeIsUrgentFromTheVeryGenerationOfTheWarning() {
    assertThat(rankOf(Scenario.prepared().sealed(SHARD, 255))).isEqualTo(Ranks.DUE_MERGE);
    assertThat(rankOf(Scenario.prepared().sealed(SHARD, 256))).isEqualTo(Ranks.URGENT);
    assertThat(rankOf(Scenario.prepared().sealed(SHARD, 8))).isEqualTo(Ranks.DUE_MERGE);
  }

  @Test
  void immuneTo52ATailIsMergedAtItsAgeAndNotBefore() {
    Scenario scenario = Scenario.prepared().sealed(SHARD, 1).after(3_599_999);
    assertThat(scenario.state().unit(MERGE_WAL)).isNull();
    assertThat(rankOf(scenario.after(1))).isEqualTo(Ranks.REST);
  }

  @Test
  void aLateSealOfADroppedTableIsNotTakenForTheNextOne() {
    Scenario scenario = Scenario.prepared().sealed(SHARD, 358);
    scenario.given(new DemandEvent.TableDropped(TABLE, 1)).sealed(SHARD, 358).expectNothing();
    assertThat(scenario.state().shards()).isEmpty();
    scenario.given(recreated()).sealed(SHARD, 358);
    assertThat(scenario.state().shards()).isEmpty();
    scenario.given(
        new WalSealed(TABLE, 2, SHARD, 1, 5, 5_000, 50, scenario.atMillis(), SealSource.WRITER));
    assertThat(scenario.state().pendingGenerations()).isEqualTo(5);
  }

  @Test
  void aSealThatIsReadBeforeItsRegistrationIsFoundByTheLookThatFollows() {
    Scenario scenario = new Scenario(Settings.DEFAULT, PolicyDocument.EMPTY).sealed(SHARD, 8);
    assertThat(scenario.state().shards()).isEmpty();
    scenario.registered().expectOpened(OBSERVE, Mode.OUTSIDE);
  }

  @Test
  void aGenerationSkippedInADroppedTableIsNotLeftOutOfTheNextOne() {
    Scenario scenario = Scenario.prepared();
    scenario.given(new DemandEvent.TableDropped(TABLE, 1), recreated());
    scenario.given(
        new WalSealed(TABLE, 2, SHARD, 1, 5, 5_000, 50, scenario.atMillis(), SealSource.WRITER),
        new PolicyEvent.GenerationSkipped(TABLE, 1, SHARD, 3, "operator", "of the old table"));
    assertThat(scenario.state().shard(SHARD).skipped()).isEmpty();
  }

  private static DemandEvent.TableRegistered recreated() {
    return new DemandEvent.TableRegistered(
        TABLE, 2, "/tables/new", "/wal/new", List.of(), MergeMode.APPEND, List.of());
  }

  @Test
  void aMergeReservesTwiceItsBytes() {
    Scenario scenario = Scenario.prepared();
    scenario.given(
        new WalSealed(
            TABLE, 1, SHARD, 1, 8, 100 * MIB, 80, scenario.atMillis(), SealSource.WRITER));
    assertThat(scenario.last(UnitDecision.RequestPlacement.class).expectedBytes())
        .isEqualTo(200 * MIB);
  }

  @Test
  void immuneTo07AGenerationLargerThanTheLimitIsMergedAlone() {
    Scenario scenario = Scenario.prepared();
    for (long generation = 1; generation <= 9; generation++) {
      scenario.given(
          new WalSealed(
              TABLE,
              1,
              SHARD,
              1,
              generation,
              3_072 * MIB + generation,
              generation,
              scenario.atMillis(),
              SealSource.WRITER));
    }
    WorkSpec.MergeWal first = (WorkSpec.MergeWal) scenario.unit(MERGE_WAL).spec();
    assertThat(first.ranges().get(SHARD)).isEqualTo(new WorkSpec.GenerationRange(1, 1));
    scenario.prepare(MERGE_WAL).taken(MERGE_WAL).published(MERGE_WAL, 2);
    WorkSpec.MergeWal rest = (WorkSpec.MergeWal) scenario.unit(MERGE_WAL).spec();
    assertThat(rest.ranges().get(SHARD)).isEqualTo(new WorkSpec.GenerationRange(2, 9));
  }

  @Test
  void anIndexBuildReservesItsBuffersAndHalfTheTable() {
    Scenario scenario = Scenario.prepared(BY_ID).given(seen(2, 4, 10, 600 * MIB));
    assertThat(scenario.last(UnitDecision.RequestPlacement.class).expectedBytes())
        .isEqualTo(428 * MIB);
  }

  @Test
  void aCompactionReservesTwiceWhatItReads() {
    Scenario scenario = Scenario.prepared().given(seen(2, 20, 10, 600 * MIB));
    assertThat(scenario.last(UnitDecision.RequestPlacement.class).expectedBytes())
        .isEqualTo(240 * MIB);
  }

  @Test
  void theNeediestIndexIsBuiltAndAmongEqualsTheFirst() {
    Scenario equal = Scenario.prepared(BY_ID, BY_DAY).observed(2, 0, 10);
    assertThat(((WorkSpec.BuildIndex) equal.unit(INDEX).spec()).index()).isEqualTo(BY_ID);
    Scenario damaged =
        Scenario.prepared(BY_ID, BY_DAY)
            .observed(2, 0, 10, seen(BY_ID, 17, false), seen(BY_DAY, 0, true));
    assertThat(((WorkSpec.BuildIndex) damaged.unit(INDEX).spec()).index()).isEqualTo(BY_DAY);
    Scenario covered = Scenario.prepared(BY_ID).observed(2, 0, 10, seen(BY_ID, 15, false));
    assertThat(covered.whyNot(INDEX))
        .isEqualTo(new WhyNot.BelowThreshold(15.0 / 16, "by_id: 15 fragments uncovered"));
    covered.observed(3, 0, 10, seen(BY_ID, 16, false)).expectOpened(INDEX, Mode.OUTSIDE);
  }

  @Test
  void aWishIsGrantedBelowTheThresholdButNotForNothing() {
    Scenario little = Scenario.prepared().observed(2, 2, 10);
    assertThat(little.whyNot(COMPACT)).isInstanceOf(WhyNot.BelowThreshold.class);
    wish(little, COMPACT).expectOpened(COMPACT, Mode.OUTSIDE);
    Scenario nothing = wish(Scenario.prepared().observed(2, 0, 10), COMPACT);
    assertThat(nothing.state().unit(COMPACT)).isNull();
    wish(Scenario.prepared().sealed(SHARD, 1), MERGE_WAL).expectOpened(MERGE_WAL, Mode.OUTSIDE);
  }

  @Test
  void onlyACompactionThatWentStaleTwiceTakesASmallBite() {
    Scenario scenario = Scenario.prepared().observed(2, 20, 1_000);
    long usual = ((WorkSpec.Compact) scenario.unit(COMPACT).spec()).maxSourceFragments();
    scenario.prepare(COMPACT, 1L).refused(COMPACT, "STALE_PREPARATION").after(2_000);
    assertThat(((WorkSpec.Compact) scenario.unit(COMPACT).spec()).maxSourceFragments())
        .isEqualTo(usual);
    scenario.prepare(COMPACT, 1L).refused(COMPACT, "CONFLICT").after(2_000);
    assertThat(((WorkSpec.Compact) scenario.unit(COMPACT).spec()).maxSourceFragments())
        .isEqualTo(usual / 8);
    Scenario inside = Scenario.plain().observed(2, 20, 1_000);
    assertThat(((WorkSpec.Compact) inside.unit(COMPACT).spec()).maxSourceFragments())
        .isEqualTo(usual);
  }

  @Test
  void aTableWithPendingGenerationsIsLookedAtSoonerThanAQuietOne() {
    Scenario pending = Scenario.prepared().sealed(SHARD, 1).after(299_999);
    assertThat(pending.state().unit(OBSERVE)).isNull();
    assertThat(pending.after(1).state().unit(OBSERVE)).isNotNull();
    Scenario quiet = Scenario.prepared().after(3_599_999);
    assertThat(quiet.state().unit(OBSERVE)).isNull();
    assertThat(quiet.after(1).state().unit(OBSERVE)).isNotNull();
  }

  @Test
  void immuneTo14AnEmptyOrOlderLookLowersNothing() {
    Scenario scenario = Scenario.prepared().observed(5, 2, 10).sealed(SHARD, 3);
    scenario.observed(4, 0, 0);
    assertThat(scenario.state().observation()).extracting(Observation::version).isEqualTo(5L);
    scenario.observed(6, 0, 0);
    assertThat(scenario.state().pendingGenerations()).isEqualTo(3);
  }

  @Test
  void immuneTo62And63ANewEpochAndAnOldMarkKeepWhatIsMerged() {
    Scenario scenario = Scenario.prepared().sealed(SHARD, 40).headMerged(2, 1, 99, 40);
    scenario.given(
        new WalSealed(TABLE, 1, SHARD, 2, 60, 1, 1, scenario.atMillis(), SealSource.WRITER));
    assertThat(scenario.state().shard(SHARD).pending()).isEqualTo(20);
    scenario.sealed(SHARD, 10).headMerged(3, 2, 99, 5);
    assertThat(scenario.state().shard(SHARD).mergedThrough()).isEqualTo(40);
    assertThat(scenario.state().shard(new ShardId("s9")).pending()).isZero();
  }

  @Test
  void aKindThatFoundNothingSaysAtWhichVersion() {
    Scenario scenario = Scenario.prepared().observed(2, 20, 10).placed(COMPACT).claimed(COMPACT);
    scenario.given(new PublishEvent.UnitNoOp(scenario.attempt(COMPACT), 2, "all are large"));
    assertThat(scenario.whyNot(COMPACT))
        .isEqualTo(new WhyNot.NoDemand("nothing to do at version 2"));
    scenario.observed(3, 20, 10).expectOpened(COMPACT, Mode.OUTSIDE);
  }

  @Test
  void demandSeenAtTheVeryVersionOfThePublicationIsBelieved() {
    Scenario scenario = Scenario.prepared().observed(2, 20, 10).prepare(COMPACT, 1L);
    scenario.taken(COMPACT).published(COMPACT, 4).observed(3, 20, 10).expectNothing();
    assertThat(scenario.whyNot(COMPACT))
        .isEqualTo(new WhyNot.NoDemand("not observed since the last COMPACT at version 4"));
    scenario.observed(4, 20, 10).expectOpened(COMPACT, Mode.OUTSIDE);
  }

  @Test
  void aTableThatWasNeverObservedSaysSo() {
    Scenario scenario = new Scenario(Settings.DEFAULT, PolicyDocument.EMPTY).registered();
    assertThat(scenario.whyNot(COMPACT)).isEqualTo(new WhyNot.NoDemand("never observed"));
    assertThat(scenario.whyNot(RETIRE)).isEqualTo(new WhyNot.NoDemand("never observed"));
    assertThat(scenario.last(UnitDecision.RequestPlacement.class).score()).isEqualTo(1);
    scenario.looked(1, 0, 2, scenario.atMillis()).expectReason("2 files missing");
    assertThat(scenario.all(UnitDecision.RequestPlacement.class))
        .anyMatch(asked -> asked.kind() == REPAIR && asked.score() == Scores.NOW);
  }

  @Test
  void aLookSaysHowLongTheLastOneIsAgo() {
    Scenario scenario = Scenario.prepared().after(3_600_000);
    scenario.expectReason("observed 3600000 ms ago");
    Scenario first = new Scenario(Settings.DEFAULT, PolicyDocument.EMPTY).registered();
    first.expectReason("never observed");
  }

  @Test
  void aRepairThatFoundNothingIsNotBegunAgainForTheSameFailure() {
    Scenario scenario = Scenario.prepared().observed(2, 20, 10).placed(COMPACT).claimed(COMPACT);
    scenario.failed(COMPACT, "MISSING_FILE").expectReason("a unit missed a file");
    scenario.placed(REPAIR).claimed(REPAIR);
    scenario.given(new PublishEvent.UnitNoOp(scenario.attempt(REPAIR), 2, "nothing is missing"));
    assertThat(scenario.state().unit(REPAIR)).isNull();
    assertThat(scenario.state().ledger()).containsKey("COMPACT");
  }

  @Test
  void anIndexBuildWaitsForNoPlanOfACompactionThatIsToBeTriedAgain() {
    Scenario scenario = Scenario.prepared(BY_ID).observed(2, 20, 10).placed(COMPACT);
    assertThat(scenario.whyNot(INDEX)).isEqualTo(new WhyNot.Yielding(COMPACT));
    scenario.given(new ClaimEvent.UnitDeclined(scenario.attempt(COMPACT), "DRAINING"));
    scenario.expectOpened(INDEX, Mode.OUTSIDE);
  }

  @Test
  void upsertsNeedAKey() {
    assertThatThrownBy(() -> registered(MergeMode.UPSERT, List.of()))
        .hasMessageContaining("keyColumns");
    assertThat(registered(MergeMode.UPSERT, List.of("id")).keyColumns()).containsExactly("id");
    assertThat(registered(MergeMode.APPEND, List.of()).keyColumns()).isEmpty();
  }

  private static TableRegistered registered(MergeMode mode, List<String> keyColumns) {
    return new TableRegistered(TABLE, 1, "/t", "/w", keyColumns, mode, List.of());
  }

  private static Scenario wish(Scenario scenario, Kind kind) {
    return scenario.given(
        new PolicyEvent.OperatorActed(TABLE, PolicyEvent.Action.TRIGGER, kind, "operator", "now"));
  }

  private static int rankOf(Scenario scenario) {
    UnitDecision.RequestPlacement asked = scenario.last(UnitDecision.RequestPlacement.class);
    assertThat(asked.kind()).isEqualTo(MERGE_WAL);
    return asked.rank();
  }

  private static IndexObserved seen(IndexSpec index, long uncovered, boolean damaged) {
    return new IndexObserved(index.name(), index.column(), index.type(), uncovered, 1, damaged);
  }

  private static TableObserved seen(long version, long small, long rows, long bytes) {
    return new TableObserved(
        TABLE,
        1,
        version,
        small,
        small,
        bytes / 5,
        rows,
        bytes,
        0,
        List.of(),
        0,
        0,
        Scenario.START_MILLIS);
  }
}
