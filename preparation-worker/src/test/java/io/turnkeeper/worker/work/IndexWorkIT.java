package io.turnkeeper.worker.work;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import io.turnkeeper.core.FailureCode;
import io.turnkeeper.core.Kind;
import io.turnkeeper.core.table.DemandEvent.IndexObserved;
import io.turnkeeper.core.table.DemandEvent.TableObserved;
import io.turnkeeper.core.table.IndexSpec;
import io.turnkeeper.core.table.IndexType;
import io.turnkeeper.core.table.WorkSpec.BuildIndex;
import io.turnkeeper.worker.wal.Generations;
import java.util.List;
import java.util.Set;
import java.util.SortedSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.lance.Dataset;
import org.lance.index.Index;
import org.lance.operation.CreateIndex;

class IndexWorkIT extends LanceTestCase {
  private final IndexWork work = new IndexWork();

  @ParameterizedTest
  @EnumSource(IndexType.class)
  void anIndexIsBuiltBesideAppendsAndAnswersLikeAScan(IndexType type) throws Exception {
    table.append(0, 50, 4);
    Prepared prepared = ready(work, Kind.INDEX, build(type));
    table.append(200, 50, 1);

    assertThat(table.publish(prepared)).isEmpty();

    assertThat(progress.sources).containsExactly(0L, 1L, 2L, 3L);
    assertThat(observed().indexes())
        .containsExactly(new IndexObserved("by_id", "id", type, 1, 1, false));
    assertSameAnswers(250);
  }

  /** One by one, thousands of them would take minutes. */
  @Test
  void smallFragmentsAreReadTogether() throws Exception {
    int fragments = 2 * FragmentBatches.MOST_FRAGMENTS + 2;
    table.append(0, 5, fragments);

    assertThat(table.publish(ready(work, Kind.INDEX, build(IndexType.BTREE)))).isEmpty();

    assertThat(buildSteps())
        .containsExactly(
            "read 64 of 130 fragments",
            "read 128 of 130 fragments",
            "read 130 of 130 fragments",
            "joined the parts");
    assertThat(progress.rows).isEqualTo(5L * fragments);
    assertThat(observed().indexes())
        .containsExactly(new IndexObserved("by_id", "id", IndexType.BTREE, 0, 1, false));
    assertSameAnswers(5 * fragments);
  }

  @Test
  void largeFragmentsAreReadOneByOne() throws Exception {
    table.append(0, (int) FragmentBatches.ENOUGH_ROWS, 2);

    ready(work, Kind.INDEX, build(IndexType.BTREE));

    assertThat(buildSteps())
        .containsExactly("read 1 of 2 fragments", "read 2 of 2 fragments", "joined the parts");
  }

  /** Without what follows in a bucket, where files are copied and not linked. */
  private List<String> buildSteps() {
    return progress.steps.stream().filter(step -> !step.startsWith("copied ")).toList();
  }

  @ParameterizedTest
  @EnumSource(IndexType.class)
  void laterFragmentsBecomeASegmentUntilThereAreEight(IndexType type) throws Exception {
    for (int segments = 1; segments <= IndexPlan.MAX_SEGMENTS; segments++) {
      table.append(segments * 10, 10, 1);
      assertThat(table.publish(ready(work, Kind.INDEX, build(type)))).isEmpty();
      assertThat(observed().indexes().get(0).segments()).isEqualTo(segments);
    }
    table.append(90, 10, 1);
    assertThat(table.publish(ready(work, Kind.INDEX, build(type)))).isEmpty();

    assertThat(observed().indexes())
        .containsExactly(new IndexObserved("by_id", "id", type, 0, 1, false));
    for (int key = 10; key < 100; key++) {
      assertThat(table.find("id = 'k" + key + "'", true)).containsExactly((long) key);
    }
  }

  /** Its old values are in the first segment still, and count again once a second covers it. */
  @Test
  void aFragmentThatWasRewrittenInPlaceIsNotCoveredByASecondSegment() throws Exception {
    table.append(0, 10, 2);
    assertThat(table.publish(ready(work, Kind.INDEX, build(IndexType.BTREE)))).isEmpty();
    InPlaceRewrite.byUpdate(table);
    table.append(20, 10, 1);

    assertThat(table.publish(ready(work, Kind.INDEX, build(IndexType.BTREE)))).isEmpty();

    assertThat(observed().indexes().get(0).segments()).isEqualTo(1);
    assertSameAnswers(30);
  }

  @Test
  void excludedFragmentsAreLeftOut() throws Exception {
    table.append(0, 10, 4);

    Prepared prepared =
        ready(
            work,
            Kind.INDEX,
            new BuildIndex(new IndexSpec("by_id", "id", IndexType.BTREE), List.of(1L, 2L)));

    assertThat(prepared.artifact().sourceFragments()).containsExactly(0L, 3L);
    assertThat(table.publish(prepared)).isEmpty();
    assertSameAnswers(40);
  }

  @Test
  void anEmptyTableIsNothingToIndex() throws Exception {
    assertThat(prepare(work, Kind.INDEX, build(IndexType.BTREE)))
        .isInstanceOf(Preparation.Nothing.class);
  }

  @Test
  void anIndexThatAnswersWronglyIsFoundAndBuiltAnew() throws Exception {
    table.append(0, 10, 2);
    PreparedIndex half =
        (PreparedIndex)
            ready(
                work,
                Kind.INDEX,
                new BuildIndex(new IndexSpec("by_id", "id", IndexType.BTREE), List.of(1L)));
    table.commit(
        half.artifact().readVersion(),
        CreateIndex.builder()
            .withNewIndices(List.of(claiming(half.segment(), List.of(0, 1))))
            .withRemovedIndices(List.of())
            .build());
    try (Dataset dataset = table.open()) {
      assertThat(IndexCheck.damaged(dataset, table.uri())).containsExactly(half.segment().uuid());
    }

    assertThat(table.publish(ready(work, Kind.INDEX, build(IndexType.BTREE)))).isEmpty();

    assertSameAnswers(20);
    assertThat(observed().indexes())
        .containsExactly(new IndexObserved("by_id", "id", IndexType.BTREE, 0, 1, false));
  }

  private static Index claiming(Index index, List<Integer> fragments) {
    return Index.builder()
        .uuid(index.uuid())
        .name(index.name())
        .fields(index.fields())
        .datasetVersion(index.datasetVersion())
        .fragments(fragments)
        .indexDetails(index.indexDetails().orElse(null))
        .indexVersion(index.indexVersion())
        .createdAt(index.createdAt().orElse(null))
        .indexType(index.indexType())
        .build();
  }

  @Test
  void aCancelledBuildLeavesNothing() throws Exception {
    table.append(0, 10, 5);
    SortedSet<String> before = table.files();
    progress.cancelAfter = 1;

    assertThatThrownBy(
            () ->
                StagedWork.prepare(
                    work, table.unit(Kind.INDEX, build(IndexType.BTREE)), allocator, progress))
        .isInstanceOf(WorkCancelledException.class);
    assertThat(table.files()).isEqualTo(before);
  }

  @Test
  void stableRowIdsAreRefused() {
    LanceTable unsafe = new LanceTable(dir.resolve("unsafe"), allocator, Generations.SCHEMA, true);

    assertThatThrownBy(
            () ->
                StagedWork.prepare(
                    work, unsafe.unit(Kind.INDEX, build(IndexType.BTREE)), allocator, progress))
        .asInstanceOf(type(WorkFailedException.class))
        .returns(FailureCode.UNSAFE_TABLE, WorkFailedException::code);
  }

  private void assertSameAnswers(int rows) throws Exception {
    try (Dataset dataset = table.open()) {
      assertThat(SampledKeys.of(dataset, "id").agree(dataset)).isTrue();
    }
    for (int key = 0; key < rows; key += 11) {
      String filter = "id = 'k" + key + "'";
      assertThat(table.find(filter, true)).isEqualTo(table.find(filter, false)).hasSize(1);
    }
    assertThat(table.find("id = 'nobody'", true)).isEmpty();
  }

  private TableObserved observed() throws Exception {
    try (Dataset dataset = table.open()) {
      return new TableObservation(1_000, 1 << 30)
          .of(dataset, LanceTable.ID, 1, table.uri(), Set.of(), 0);
    }
  }

  private static BuildIndex build(IndexType type) {
    return new BuildIndex(new IndexSpec("by_id", "id", type), List.of());
  }
}
