package io.turnkeeper.core.table;

import static io.turnkeeper.core.Kind.MERGE_WAL;
import static io.turnkeeper.core.table.Scenario.OTHER_SHARD;
import static io.turnkeeper.core.table.Scenario.SHARD;
import static io.turnkeeper.core.table.Scenario.START_MILLIS;
import static io.turnkeeper.core.table.Scenario.TABLE;
import static org.assertj.core.api.Assertions.assertThat;

import io.turnkeeper.core.ShardId;
import io.turnkeeper.core.policy.Policy;
import io.turnkeeper.core.policy.PolicyDocument;
import io.turnkeeper.core.table.DemandEvent.SealSource;
import io.turnkeeper.core.table.DemandEvent.WalSealed;
import io.turnkeeper.core.table.WorkSpec.GenerationRange;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What one merge takes; every generation has a thousand bytes. */
class MergePlanTest {
  private static final ShardId THIRD_SHARD = new ShardId("s2");
  private static final TableState NONE = TableState.unknown(TABLE);

  @Test
  void theLongestWaitingShardComesFirstAndTheBudgetIsShared() {
    TableState state =
        sealed(sealed(sealed(NONE, SHARD, 4, 30), OTHER_SHARD, 4, 10), THIRD_SHARD, 4, 20);
    MergePlan plan = plan(state, 6, 1 << 20);
    assertThat(plan.ranges())
        .containsOnly(
            Map.entry(OTHER_SHARD, new GenerationRange(1, 4)),
            Map.entry(THIRD_SHARD, new GenerationRange(1, 2)));
    assertThat(plan.bytes()).isEqualTo(6_000);
    assertThat(plan.pending()).isEqualTo(12);
    assertThat(plan.pendingBytes()).isEqualTo(12_000);
    assertThat(plan.oldestFlushMillis()).isEqualTo(START_MILLIS + 10);
  }

  @Test
  void shardsOfOneAgeAreTakenByName() {
    TableState state = sealed(sealed(NONE, OTHER_SHARD, 4, 10), SHARD, 4, 10);
    assertThat(plan(state, 4, 1 << 20).ranges()).containsOnlyKeys(SHARD);
  }

  @Test
  void bytesAreSharedTooAndAShardThatDoesNotFitEndsThePlan() {
    TableState state =
        sealed(sealed(sealed(NONE, SHARD, 4, 10), OTHER_SHARD, 4, 20), THIRD_SHARD, 4, 30);
    assertThat(plan(state, 64, 6_000).ranges())
        .containsOnly(
            Map.entry(SHARD, new GenerationRange(1, 4)),
            Map.entry(OTHER_SHARD, new GenerationRange(1, 2)));
    assertThat(plan(state, 64, 4_999).ranges()).containsOnlyKeys(SHARD);
    assertThat(plan(state, 64, 5_000).ranges()).containsOnlyKeys(SHARD, OTHER_SHARD);
    assertThat(plan(state, 64, 500).ranges())
        .as("always one generation")
        .containsOnly(Map.entry(SHARD, new GenerationRange(1, 1)));
  }

  @Test
  void onlyWhatIsPendingCounts() {
    TableState state = sealed(NONE, SHARD, 10, 10);
    state = state.withShard(SHARD, state.shard(SHARD).mergedTo(4));
    MergePlan plan = plan(state, 4, 1 << 20);
    assertThat(plan.ranges().get(SHARD)).isEqualTo(new GenerationRange(5, 8));
    assertThat(plan.pending()).isEqualTo(6);
    assertThat(plan.pendingBytes()).isEqualTo(6_000);
    assertThat(plan.bytes()).isEqualTo(4_000);
  }

  @Test
  void anEmptyLogHasNoAge() {
    MergePlan plan = plan(NONE, 64, 1 << 20);
    assertThat(plan.ranges()).isEmpty();
    assertThat(plan.ageMillis(START_MILLIS)).isZero();
    assertThat(plan.exactAgeMillis(START_MILLIS)).isZero();
  }

  @Test
  void aFlushFromTheFutureHasNoAge() {
    MergePlan plan = plan(sealed(NONE, SHARD, 4, 1_000), 64, 1 << 20);
    assertThat(plan.ageMillis(START_MILLIS)).isZero();
    assertThat(plan.exactAgeMillis(START_MILLIS)).isZero();
    assertThat(plan.exactAgeMillis(START_MILLIS + 1_500)).isEqualTo(500);
  }

  @Test
  void skippedGenerationsOfTheRangeAreNamed() {
    Scenario scenario = Scenario.prepared().sealed(SHARD, 4).sealed(OTHER_SHARD, 2);
    scenario.given(skip(2), skip(6), skip(7)).sealed(SHARD, 6);
    WorkSpec.MergeWal merge = (WorkSpec.MergeWal) scenario.unit(MERGE_WAL).spec();
    assertThat(merge.skipped()).containsOnlyKeys(SHARD);
    assertThat(merge.skipped().get(SHARD)).containsExactly(2L, 6L);
  }

  @Test
  void aBadGenerationIsTriedAgainAloneWhenItsTimeHasCome() {
    Scenario scenario = Scenario.prepared().sealed(SHARD, 20).placed(MERGE_WAL).claimed(MERGE_WAL);
    scenario.badGeneration(SHARD, 10).prepare(MERGE_WAL).taken(MERGE_WAL).published(MERGE_WAL, 2);
    assertThat(scenario.whyNot(MERGE_WAL)).isInstanceOf(WhyNot.NoDemand.class);
    assertThat(scenario.state().ledger()).as("it is still bad").containsOnlyKeys("MERGE_WAL:s0");
    scenario.after(3_599_999);
    assertThat(scenario.state().unit(MERGE_WAL)).isNull();
    scenario.after(1);
    WorkSpec.MergeWal again = (WorkSpec.MergeWal) scenario.unit(MERGE_WAL).spec();
    assertThat(again.ranges().get(SHARD)).isEqualTo(new GenerationRange(10, 10));
  }

  @Test
  void aBadGenerationBehindGoodOnesIsNotTriedWithThem() {
    Scenario scenario = Scenario.prepared().sealed(SHARD, 20).placed(MERGE_WAL).claimed(MERGE_WAL);
    scenario.badGeneration(SHARD, 10).placed(MERGE_WAL).claimed(MERGE_WAL).failed(MERGE_WAL, "IO");
    scenario.after(3_600_000);
    WorkSpec.MergeWal good = (WorkSpec.MergeWal) scenario.unit(MERGE_WAL).spec();
    assertThat(good.ranges().get(SHARD)).isEqualTo(new GenerationRange(1, 9));
  }

  @Test
  void aMergeIsDueWhenItIsUrgentWhateverItsScore() {
    PolicyDocument patient =
        PolicyDocument.of(
            draft -> {
              draft.mergeMinGenerations = 1_000L;
              draft.mergeUrgent = 5L;
            });
    Scenario scenario =
        Scenario.prepared().given(new PolicyEvent.PolicySet(TABLE, patient, "operator", "test"));
    scenario.sealed(SHARD, 4).expectNothing();
    scenario.sealed(SHARD, 5).expectOpened(MERGE_WAL, Mode.OUTSIDE);
  }

  private static PolicyEvent skip(long generation) {
    return new PolicyEvent.GenerationSkipped(TABLE, 1, SHARD, generation, "operator", "lost");
  }

  private static MergePlan plan(TableState state, long maxGenerations, long maxBytes) {
    Policy policy =
        Policy.of(
            PolicyDocument.of(
                draft -> {
                  draft.mergeMaxGenerations = maxGenerations;
                  draft.mergeMaxBytes = maxBytes;
                }));
    return MergePlan.of(state, policy, START_MILLIS);
  }

  /** Sealed one by one, all at that time. */
  private static TableState sealed(
      TableState before, ShardId id, long through, long flushedAfterMillis) {
    Shard shard = before.shard(id);
    for (long generation = 1; generation <= through; generation++) {
      shard =
          shard.sealed(
              new WalSealed(
                  TABLE,
                  1,
                  id,
                  1,
                  generation,
                  generation * 1_000,
                  generation,
                  START_MILLIS + flushedAfterMillis,
                  SealSource.WRITER));
    }
    return before.withShard(id, shard);
  }
}
