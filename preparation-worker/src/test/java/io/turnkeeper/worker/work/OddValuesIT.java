package io.turnkeeper.worker.work;

import static org.assertj.core.api.Assertions.assertThat;

import io.turnkeeper.core.Kind;
import io.turnkeeper.core.ShardId;
import io.turnkeeper.core.table.DemandEvent.IndexObserved;
import io.turnkeeper.core.table.IndexSpec;
import io.turnkeeper.core.table.IndexType;
import io.turnkeeper.core.table.MergeMode;
import io.turnkeeper.core.table.WorkSpec;
import io.turnkeeper.core.table.WorkSpec.BuildIndex;
import io.turnkeeper.core.table.WorkSpec.Compact;
import io.turnkeeper.core.table.WorkSpec.GenerationRange;
import io.turnkeeper.core.table.WorkSpec.MergeWal;
import io.turnkeeper.worker.wal.Generations;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.lance.Dataset;

/** One table of odd values through all the work there is: an index never changes an answer. */
@SuppressWarnings("NullAway.Init")
class OddValuesIT extends LanceTestCase {
  private static final ShardId SHARD = new ShardId("a");
  private static final List<IndexSpec> INDEXES = indexes();

  /** With {@code -Dodd.values=long} the first fragment has more rows than a zone of a zone map. */
  private static final int FIRST_ROWS =
      "long".equals(System.getProperty("odd.values")) ? 9_000 : 300;

  private Generations wal;
  private long generation;

  @BeforeEach
  void openLog() {
    table = new LanceTable(dir.resolve("odd"), allocator, OddRows.SCHEMA, false);
    wal = new Generations(table.wal(), allocator);
  }

  private static List<IndexSpec> indexes() {
    List<IndexSpec> indexes = new ArrayList<>();
    indexes.add(new IndexSpec("by_id", "id", IndexType.BTREE));
    for (String value : OddRows.VALUES) {
      indexes.add(new IndexSpec(value + "1", value + "_b", IndexType.BTREE));
      indexes.add(new IndexSpec(value + "2", value + "_z", IndexType.ZONEMAP));
    }
    indexes.add(new IndexSpec("d3", "d_x", IndexType.BTREE));
    indexes.add(new IndexSpec("d4", "d_x", IndexType.ZONEMAP));
    return indexes;
  }

  @Test
  void anIndexNeverChangesAnAnswer() throws Exception {
    merge(MergeMode.APPEND, OddRows.of(0, FIRST_ROWS, id -> id));
    merge(MergeMode.APPEND, OddRows.of(FIRST_ROWS, 100, id -> id));
    merge(MergeMode.APPEND, OddRows.of(FIRST_ROWS + 100, 100, id -> id));
    index();
    assertSameAnswers("indexed");

    delete("id % 10 = 3 OR d_b = 0.0");
    assertSameAnswers("rows deleted");
    merge(MergeMode.UPSERT, OddRows.of(FIRST_ROWS - 50, 300, id -> id + 7));
    assertSameAnswers("whole rows upserted");
    table.upsert(
        "id", table.stream(OddRows.schema(List.of("d", "s")), OddRows.of(100, 60, id -> id + 13)));
    assertSameAnswers("parts of rows upserted");
    compact();
    assertSameAnswers("compacted");
    index();
    assertSameAnswers("indexed after compaction");

    merge(MergeMode.APPEND, OddRows.of(20_000, 150, id -> id));
    merge(MergeMode.UPSERT, OddRows.of(0, 150, id -> id + 3));
    delete("n_z IS NULL AND id < 5000");
    table.upsert(
        "id",
        table.stream(OddRows.schema(List.of("n")), OddRows.of(FIRST_ROWS + 100, 50, id -> id + 1)));
    assertSameAnswers("changed once more");
    index();
    assertSameAnswers("extended");
    compact();
    index();
    assertSameAnswers("compacted and indexed once more");
  }

  private void merge(MergeMode mode, Consumer<VectorSchemaRoot> rows) throws Exception {
    generation++;
    wal.seal(SHARD, generation, OddRows.SCHEMA, rows);
    publish(
        new MergeWork(),
        Kind.MERGE_WAL,
        new MergeWal(
            new TreeMap<>(Map.of(SHARD, new GenerationRange(generation, generation))),
            new TreeMap<>(),
            mode,
            List.of("id")));
  }

  private void delete(String filter) {
    try (Dataset dataset = table.open()) {
      dataset.delete(filter);
    }
  }

  private void compact() throws Exception {
    publish(new CompactWork(), Kind.COMPACT, new Compact(100_000, 1L << 30, 100, List.of()));
  }

  /** Every index covers everything afterwards, in one build or one more segment. */
  private void index() throws Exception {
    for (IndexSpec index : INDEXES) {
      publish(new IndexWork(), Kind.INDEX, new BuildIndex(index, List.of()));
    }
    try (Dataset dataset = table.open()) {
      assertThat(IndexCheck.damaged(dataset, table.uri())).isEmpty();
      assertThat(
              new TableObservation(1_000, 1 << 30)
                  .of(dataset, LanceTable.ID, 1, table.uri(), Set.of(), 0)
                  .indexes())
          .hasSize(INDEXES.size())
          .allMatch(index -> index.uncoveredFragments() == 0)
          .noneMatch(IndexObserved::damaged);
    }
  }

  private void publish(Work work, Kind kind, WorkSpec spec) throws Exception {
    assertThat(table.publish(ready(work, kind, spec))).isEmpty();
  }

  private void assertSameAnswers(String stage) throws Exception {
    try (Dataset dataset = table.open()) {
      OddFilters filters = new OddFilters(dataset);
      assertThat(filters.disagreements()).as(stage).isEmpty();
    }
  }
}
