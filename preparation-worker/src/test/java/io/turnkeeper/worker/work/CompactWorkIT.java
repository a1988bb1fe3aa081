package io.turnkeeper.worker.work;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import io.turnkeeper.core.FailureCode;
import io.turnkeeper.core.Kind;
import io.turnkeeper.core.table.IndexSpec;
import io.turnkeeper.core.table.IndexType;
import io.turnkeeper.core.table.WorkSpec.BuildIndex;
import io.turnkeeper.core.table.WorkSpec.Compact;
import io.turnkeeper.worker.wal.Generations;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.lance.Dataset;
import org.lance.compaction.Compaction;
import org.lance.compaction.CompactionOptions;
import org.lance.compaction.CompactionTask;
import org.lance.compaction.RewriteResult;

class CompactWorkIT extends LanceTestCase {
  private static final IndexSpec INDEX = new IndexSpec("by_id", "id", IndexType.BTREE);

  private final CompactWork work = new CompactWork();

  @Test
  void smallFragmentsBecomeOneWhileOthersAreAppended() throws Exception {
    table.append(0, 10, 6);
    Prepared prepared = ready(work, Kind.COMPACT, compact());
    table.append(60, 10, 1);

    assertThat(table.publish(prepared)).isEmpty();

    assertThat(progress.sources).containsExactly(0L, 1L, 2L, 3L, 4L, 5L);
    assertThat(prepared.artifact().sourceFragments()).containsExactly(0L, 1L, 2L, 3L, 4L, 5L);
    assertThat(table.fragments()).containsExactlyInAnyOrder(6, 7);
    assertThat(table.find("n >= 0", false)).isEqualTo(LongStream.range(0, 70).boxed().toList());
  }

  @Test
  void answersStayRightThroughCompactionsAndIndexesInTurn() throws Exception {
    for (int round = 0; round < 4; round++) {
      table.append(round * 40, 10, 4);
      assertThat(
              table.publish(ready(new IndexWork(), Kind.INDEX, new BuildIndex(INDEX, List.of()))))
          .isEmpty();
      assertSameAnswers(round * 40 + 40);
      assertThat(table.publish(ready(work, Kind.COMPACT, compact()))).isEmpty();
      assertSameAnswers(round * 40 + 40);
    }
    assertThat(table.rows()).isEqualTo(160);
  }

  private void assertSameAnswers(int rows) throws Exception {
    for (int key = 0; key < rows; key += 7) {
      String filter = "id = 'k" + key + "'";
      assertThat(table.find(filter, true))
          .isEqualTo(table.find(filter, false))
          .containsExactly((long) key);
    }
  }

  @Test
  void fragmentsThatShareAFileAreCompactedToo() throws Exception {
    table.append(0, 10, 1);
    table.appendTwice(10, 10);
    assertThat(table.rows()).isEqualTo(30);

    assertThat(table.publish(ready(work, Kind.COMPACT, compact()))).isEmpty();

    assertThat(table.fragments()).hasSize(1);
    assertThat(table.find("n > 8 and n < 12", false))
        .containsExactlyInAnyOrder(9L, 10L, 10L, 11L, 11L);
  }

  @Test
  void excludedFragmentsStayAsTheyAre() throws Exception {
    table.append(0, 10, 7);

    Prepared prepared =
        ready(work, Kind.COMPACT, new Compact(1_000, 1 << 30, 100, List.of(2L, 6L)));

    assertThat(table.publish(prepared)).isEmpty();
    assertThat(table.fragments()).contains(2, 6).hasSize(4);
    assertThat(table.rows()).isEqualTo(70);
  }

  @Test
  void aFragmentAboveTheByteTargetIsNeverRewritten() throws Exception {
    table.append(0, 10, 2);
    table.append(20, 900, 1);
    table.append(920, 10, 2);
    Compact spec = new Compact(1_000, 4_000, 100, List.of());

    Prepared prepared = ready(work, Kind.COMPACT, spec);

    assertThat(prepared.artifact().sourceFragments()).containsExactly(0L, 1L, 3L, 4L);
    assertThat(table.publish(prepared)).isEmpty();
    assertThat(table.fragments()).contains(2).hasSize(3);
    assertThat(table.find("n >= 0", false)).isEqualTo(LongStream.range(0, 940).boxed().toList());
    assertThat(ready(work, Kind.COMPACT, spec).artifact().sourceFragments())
        .containsExactly(5L, 6L);
  }

  @Test
  void twoFragmentsAboveTheByteTargetAreNothingToCompact() throws Exception {
    table.append(0, 400, 2);

    assertThat(prepare(work, Kind.COMPACT, new Compact(1_000, 1_000, 100, List.of())))
        .isInstanceOf(Preparation.Nothing.class);
  }

  @Test
  void aSourceWithNewDeletionsIsStaleAndItsFilesGo() throws Exception {
    table.append(0, 10, 3);
    SortedSet<String> before = table.files();
    Prepared prepared = ready(work, Kind.COMPACT, compact());
    try (Dataset dataset = table.open()) {
      dataset.delete("n = 15");
    }

    assertThat(table.publish(prepared)).contains("expected fragment 1 as it was at version 4");

    prepared.files().delete();
    assertThat(table.files()).isEqualTo(before);
    assertThat(table.rows()).isEqualTo(29);
  }

  @Test
  void theSameCompactionTwiceIsStale() throws Exception {
    table.append(0, 10, 3);
    Prepared first = ready(work, Kind.COMPACT, compact());
    Prepared second = ready(work, Kind.COMPACT, compact());

    assertThat(table.publish(first)).isEmpty();
    assertThat(table.publish(second)).contains("expected fragment 0");
  }

  @Test
  void nothingToCompactIsSaid() throws Exception {
    table.append(0, 10, 1);

    assertThat(prepare(work, Kind.COMPACT, compact())).isInstanceOf(Preparation.Nothing.class);
  }

  @Test
  void aCancelledCompactionLeavesNothing() throws Exception {
    table.append(0, 10, 5);
    SortedSet<String> before = table.files();
    progress.cancelAfter = 1;

    assertThatThrownBy(
            () ->
                StagedWork.prepare(work, table.unit(Kind.COMPACT, compact()), allocator, progress))
        .isInstanceOf(WorkCancelledException.class);
    assertThat(table.files()).isEqualTo(before);
  }

  @Test
  void stableRowIdsAreRefused() {
    LanceTable unsafe = new LanceTable(dir.resolve("unsafe"), allocator, Generations.SCHEMA, true);

    assertThatThrownBy(
            () ->
                StagedWork.prepare(work, unsafe.unit(Kind.COMPACT, compact()), allocator, progress))
        .asInstanceOf(type(WorkFailedException.class))
        .returns(FailureCode.UNSAFE_TABLE, WorkFailedException::code);
  }

  @Test
  void aTableWithADeferredRemapIsRefused() throws Exception {
    table.append(0, 10, 3);
    try (Dataset dataset = table.open()) {
      compactAsLanceDoes(dataset, true);
      assertThat(dataset.listIndexes()).contains("__lance_frag_reuse");
    }

    assertThatThrownBy(() -> prepare(work, Kind.COMPACT, compact()))
        .asInstanceOf(type(WorkFailedException.class))
        .returns(FailureCode.UNSAFE_TABLE, WorkFailedException::code);
  }

  /** Why no compaction remaps: docs/rules.md. It may, once Lance lets this fail. */
  @Test
  void whatLanceRemapsAnswersRightButHidesWhoMadeTheVersion() throws Exception {
    table.append(0, 10, 4);
    assertThat(table.publish(ready(new IndexWork(), Kind.INDEX, new BuildIndex(INDEX, List.of()))))
        .isEmpty();

    try (Dataset dataset = table.open()) {
      compactAsLanceDoes(dataset, false);
    }

    assertSameAnswers(40);
    try (Dataset newest = table.open()) {
      assertThatThrownBy(newest::readTransaction)
          .hasMessageContaining("Invalid number or type of arguments passed to java method");
    }
  }

  private static void compactAsLanceDoes(Dataset dataset, boolean deferRemap) throws Exception {
    CompactionOptions options =
        CompactionOptions.builder()
            .withTargetRowsPerFragment(1_000)
            .withDeferIndexRemap(deferRemap)
            .build();
    List<RewriteResult> rewritten = new ArrayList<>();
    for (CompactionTask task : Compaction.planCompaction(dataset, options).getCompactionTasks()) {
      rewritten.add(task.execute(dataset));
    }
    Compaction.commitCompaction(dataset, rewritten, options);
  }

  private static Compact compact() {
    return new Compact(1_000, 1 << 30, 100, List.of());
  }
}
