package io.turnkeeper.worker.fence;

import static org.assertj.core.api.Assertions.assertThat;

import io.turnkeeper.authority.HeldTurn;
import io.turnkeeper.authority.ReleaseOutcome;
import io.turnkeeper.core.FailureCode;
import io.turnkeeper.core.ShardId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.lance.Dataset;
import org.lance.Transaction;
import org.lance.compaction.Compaction;
import org.lance.compaction.CompactionOptions;
import org.lance.compaction.CompactionPlan;
import org.lance.compaction.CompactionTask;
import org.lance.compaction.RewriteResult;
import org.lance.operation.Operation;
import org.lance.operation.Overwrite;

/** What a holder can do with a turn, on real Lance and a real etcd. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class FencedTableIT extends FenceTrial {

  @Test
  void anAppendIsVisibleAndRecorded() throws Exception {
    HeldTurn held = take(3);
    ShardId shard = new ShardId("a");
    try (FencedTable fenced = open(held)) {
      PublishOutcome outcome =
          fenced.commit(1, table.append("me", 10), new TreeMap<>(Map.of(shard, 4L)), true);
      assertPublished(outcome, 2);
      assertThat(fenced.dataset().version()).isEqualTo(2);
    }
    assertThat(table.version()).isEqualTo(2);
    assertThat(table.rowsOf("me")).isEqualTo(10);
    assertThat(head().version()).isEqualTo(2);
    assertThat(head().turn()).isEqualTo(3);
    assertThat(head().mergedThrough(shard)).isEqualTo(4);
    try (Dataset dataset = table.open();
        Transaction transaction = dataset.readTransaction().orElseThrow()) {
      assertThat(transaction.transactionProperties().orElseThrow())
          .containsEntry(FencedTable.UNIT_PROPERTY, "flights#3")
          .containsEntry(FencedTable.ATTEMPT_PROPERTY, "1")
          .containsEntry(FencedTable.TURN_PROPERTY, "3");
    }
  }

  @Test
  void anOlderPreparationIsRebased() {
    Operation prepared = table.append("early", 3);
    append(1, "first", 10);
    try (FencedTable fenced = open(take(2))) {
      assertPublished(fenced.commit(1, prepared, SmallTable.noMarks(), true), 3);
    }
    assertThat(table.rowsOf("early")).isEqualTo(3);
    assertThat(table.rowsOf("first")).isEqualTo(10);
  }

  @Test
  void oneTurnCarriesSeveralCommits() throws Exception {
    HeldTurn held = take(1);
    try (FencedTable fenced = open(held)) {
      assertPublished(fenced.commit(1, table.append("a", 1), SmallTable.noMarks(), false), 2);
      assertPublished(fenced.commit(2, table.append("b", 1), SmallTable.noMarks(), false), 3);
      assertThat(authority().release(fenced.held(), soon()))
          .isEqualTo(new ReleaseOutcome.Released());
      assertFenced(
          fenced.commit(3, table.append("c", 1), SmallTable.noMarks(), true),
          FailureCode.TURN_LOST);
    }
    assertThat(table.version()).isEqualTo(3);
    assertThat(table.rowsOf("c")).isZero();
  }

  @Test
  void nothingFollowsTheLastCommit() {
    try (FencedTable fenced = open(take(1))) {
      assertPublished(append(fenced, "a", 1), 2);
      assertFenced(append(fenced, "b", 1), FailureCode.TURN_LOST);
    }
    assertThat(table.rowsOf("b")).isZero();
  }

  @Test
  void aConflictLeavesTheTurnHeld() {
    Operation prepared = table.append("late", 5);
    try (FencedTable fenced = open(take(1))) {
      Operation overwrite =
          Overwrite.builder().fragments(table.fragment("new", 7)).schema(SmallTable.SCHEMA).build();
      assertPublished(fenced.commit(1, overwrite, SmallTable.noMarks(), true), 2);
    }
    try (FencedTable fenced = open(take(2))) {
      PublishOutcome outcome = fenced.commit(1, prepared, SmallTable.noMarks(), true);
      assertThat(outcome).isInstanceOf(PublishOutcome.Conflict.class);
      assertThat(((PublishOutcome.Conflict) outcome).code()).isEqualTo(FailureCode.CONFLICT);
      assertPublished(append(fenced, "again", 1), 3);
    }
    assertThat(table.rowsOf("late")).isZero();
    assertThat(table.rowsOf("new")).isEqualTo(7);
  }

  @Test
  void aTableAtAnotherPlaceIsNotOpened() {
    HeldTurn held = take(1);
    OpenOutcome<FencedTable> outcome =
        new Fence(authority()).open(held, uri + "2", allocator, soon());
    assertThat(((OpenOutcome.Refused<FencedTable>) outcome).code())
        .isEqualTo(FailureCode.NO_SUCH_TABLE);
  }

  @Test
  void aReaderCannotCommit() throws Exception {
    append(1, "a", 3);
    try (TableSnapshot snapshot = read()) {
      assertThat(snapshot.head().version()).isEqualTo(2);
      assertThat(snapshot.dataset().countRows()).isEqualTo(3);
      try (Transaction transaction =
          new Transaction.Builder().readVersion(2).operation(table.append("b", 1)).build()) {
        assertThat(
                org.assertj.core.api.Assertions.catchThrowable(
                    () ->
                        new org.lance.CommitBuilder(snapshot.dataset())
                            .maxRetries(1)
                            .execute(transaction)))
            .hasMessageContaining("Commit conflict for version 3");
      }
    }
    assertThat(head().version()).isEqualTo(2);
    assertThat(table.version()).isEqualTo(2);
  }

  @Test
  void aReaderStaysAtItsVersion() {
    append(1, "a", 3);
    try (TableSnapshot snapshot = read()) {
      append(2, "b", 3);
      assertThat(snapshot.dataset().latestVersion()).isEqualTo(2);
      try (Dataset first = snapshot.dataset().checkoutVersion(1)) {
        assertThat(first.countRows()).isZero();
      }
    }
  }

  @Test
  void aCompactionMakesItsTwoCommitsInOneTurn() throws Exception {
    fillWithSmallFragments(6);
    CompactionOptions options = CompactionOptions.builder().withTargetRowsPerFragment(1000).build();
    List<RewriteResult> results = prepareCompaction(options);
    try (FencedTable fenced = open(take(10))) {
      PublishOutcome outcome =
          fenced.run(2, dataset -> Compaction.commitCompaction(dataset, results, options));
      HeldTurn next = assertPublished(outcome, 9);
      assertThat(authority().release(next, soon())).isEqualTo(new ReleaseOutcome.NotHeld());
    }
    try (Dataset dataset = table.open()) {
      assertThat(dataset.getFragments()).hasSize(1);
      assertThat(dataset.countRows()).isEqualTo(6);
    }
  }

  @Test
  void aCompactionThatIsPreemptedHalfWayReturns() throws Exception {
    fillWithSmallFragments(6);
    CompactionOptions options = CompactionOptions.builder().withTargetRowsPerFragment(1000).build();
    List<RewriteResult> results = prepareCompaction(options);
    List<CrashPoint.Step> steps = new ArrayList<>();
    CrashPoint preemptSecond =
        step -> {
          steps.add(step);
          if (steps.stream().filter(CrashPoint.Step.STAGED::equals).count() == 2
              && step == CrashPoint.Step.STAGED) {
            append(11, "faster", 2);
          }
        };
    try (FencedTable fenced = open(take(10), preemptSecond)) {
      assertFenced(
          fenced.run(2, dataset -> Compaction.commitCompaction(dataset, results, options)),
          FailureCode.TURN_LOST);
    }
    try (Dataset dataset = table.open()) {
      assertThat(dataset.getFragments()).hasSize(7);
      assertThat(dataset.countRows()).isEqualTo(8);
      assertThat(dataset.version()).isEqualTo(9);
    }
  }

  @Test
  void aCallThatWouldTryForEverReturnsWhenItIsRefused() throws Exception {
    append(1, "a", 3);
    HeldTurn lower = take(2);
    try (FencedTable fenced = open(lower)) {
      take(3);
      assertFenced(fenced.run(1, dataset -> dataset.delete("n >= 0")), FailureCode.TURN_LOST);
    }
    assertThat(table.rowsOf("a")).isEqualTo(3);
    assertThat(table.version()).isEqualTo(2);
  }

  @Test
  void moreCommitsThanPlannedAreRefused() throws Exception {
    append(1, "a", 3);
    try (FencedTable fenced = open(take(2))) {
      PublishOutcome outcome =
          fenced.run(
              1,
              dataset -> {
                dataset.delete("n = 0");
                dataset.delete("n = 1");
              });
      assertFenced(outcome, FailureCode.TURN_LOST);
    }
    assertThat(table.rowsOf("a")).isEqualTo(2);
    assertThat(head().version()).isEqualTo(3);
  }

  private void fillWithSmallFragments(int count) {
    for (int i = 1; i <= count; i++) {
      assertPublished(append(i, "w" + i, 1), i + 1);
    }
  }

  private List<RewriteResult> prepareCompaction(CompactionOptions options) {
    List<RewriteResult> results = new ArrayList<>();
    try (Dataset dataset = table.open()) {
      CompactionPlan plan = Compaction.planCompaction(dataset, options);
      for (CompactionTask task : plan.getCompactionTasks()) {
        results.add(task.execute(dataset));
      }
    }
    return results;
  }
}
