package io.turnkeeper.worker.work;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.turnkeeper.core.Kind;
import io.turnkeeper.core.table.IndexSpec;
import io.turnkeeper.core.table.IndexType;
import io.turnkeeper.core.table.WorkSpec.BuildIndex;
import io.turnkeeper.core.table.WorkSpec.Compact;
import io.turnkeeper.worker.wal.Generations;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;
import org.lance.Dataset;
import org.lance.operation.CreateIndex;
import org.lance.operation.Overwrite;
import org.lance.schema.ColumnAlteration;
import org.lance.schema.SqlExpressions;

/**
 * What may happen to a table between the preparation of an index and its publication, and what may
 * not. Most of what is refused here Lance would accept, and answer wrongly from then on.
 */
@ParameterizedClass
@EnumSource(IndexType.class)
class IndexValidationIT extends LanceTestCase {
  private static final int ROWS = 30;

  @Parameter
  @SuppressWarnings("NullAway.Init")
  IndexType type;

  @SuppressWarnings("NullAway.Init")
  private Prepared prepared;

  @BeforeEach
  void prepare() throws Exception {
    table.append(0, 10, 3);
    prepared = build();
  }

  private Prepared build() throws Exception {
    return build(List.of());
  }

  private Prepared build(List<Long> excluded) throws Exception {
    return ready(
        new IndexWork(), Kind.INDEX, new BuildIndex(new IndexSpec("by_id", "id", type), excluded));
  }

  @Test
  void anAppendIsFine() throws Exception {
    table.append(ROWS, 10, 1);

    assertThat(table.publish(prepared)).isEmpty();
    assertSameAnswers("id", ROWS + 10);
  }

  @Test
  void deletedRowsAreFine() throws Exception {
    delete("n < 12");

    assertThat(table.publish(prepared)).isEmpty();
    assertThat(table.find("id = 'k5'", true)).isEmpty();
    assertThat(table.find("id = 'k15'", true)).containsExactly(15L);
    assertSameAnswers("id", ROWS);
  }

  @Test
  void aDeletedFragmentIsFine() throws Exception {
    delete("n < 10");
    assertThat(table.fragments()).containsExactly(1, 2);

    assertThat(table.publish(prepared)).isEmpty();
    assertSameAnswers("id", ROWS);
  }

  @Test
  void aFullUpsertIsFine() throws Exception {
    table.upsert("id", 5, 10);

    assertThat(table.publish(prepared)).isEmpty();
    assertSameAnswers("id", ROWS);
    assertThat(table.rows()).isEqualTo(ROWS);
  }

  @Test
  void anAddedColumnIsFine() throws Exception {
    addColumn();

    assertThat(table.publish(prepared)).isEmpty();
    assertSameAnswers("id", ROWS);
  }

  @Test
  void anotherColumnThatWasDroppedIsFine() throws Exception {
    addColumn();
    Prepared later = build();
    drop("twice");

    assertThat(table.publish(later)).isEmpty();
    assertSameAnswers("id", ROWS);
  }

  @Test
  void aRenamedColumnIsFine() throws Exception {
    try (Dataset dataset = table.open()) {
      dataset.alterColumns(List.of(new ColumnAlteration.Builder("id").rename("key").build()));
    }

    assertThat(table.publish(prepared)).isEmpty();
    assertSameAnswers("key", ROWS);
  }

  @Test
  void aCompactionOfTheSourcesIsAConflict() throws Exception {
    Compact spec = new Compact(1_000, 1 << 30, 100, List.of());
    assertThat(table.publish(ready(new CompactWork(), Kind.COMPACT, spec))).isEmpty();

    // The fence takes these words for a CONFLICT.
    assertThatThrownBy(() -> table.publish(prepared))
        .hasMessageStartingWith("Retryable commit conflict")
        .hasMessageContaining("concurrent transaction Rewrite");
  }

  @Test
  void anOverwriteIsStale() throws Exception {
    table.commit(
        table.latest(),
        Overwrite.builder().fragments(table.write(0, 10)).schema(Generations.SCHEMA).build());

    // Its fragments take the same numbers again.
    assertStale("but it was rewritten");
  }

  @Test
  void aDroppedColumnIsStale() {
    drop("id");

    assertStale("but it is gone");
  }

  @Test
  void anotherColumnOfTheSameNameIsStale() {
    drop("id");
    try (Dataset dataset = table.open()) {
      dataset.addColumns(List.of(Generations.SCHEMA.findField("id")));
    }

    assertStale("but it is gone");
  }

  @Test
  void aColumnRewrittenByAnUpdateIsStale() throws Exception {
    InPlaceRewrite.byUpdate(table);

    assertStale("but it was rewritten");
  }

  @Test
  void aColumnRewrittenByAMergeOfFilesIsStale() throws Exception {
    InPlaceRewrite.byMerge(table);

    assertStale("but it was rewritten");
  }

  @Test
  void aColumnRewrittenByAPartialUpsertIsStale() throws Exception {
    addColumn();
    // With an index on the join key Lance rewrites columns in place instead of moving rows.
    Prepared keys =
        ready(
            new IndexWork(),
            Kind.INDEX,
            new BuildIndex(new IndexSpec("by_n", "n", IndexType.BTREE), List.of()));
    assertThat(table.publish(keys)).isEmpty();
    Prepared later = build();
    List<Integer> before = table.fragments();
    table.upsert("n", 5, 10);
    assertThat(table.fragments()).isEqualTo(before);

    prepared = later;
    assertStale("but it was rewritten");
  }

  @Test
  void anIndexOfTheNameThatCameMeanwhileIsStale() throws Exception {
    assertThat(table.publish(build())).isEmpty();

    assertStale("expected the segments []");
  }

  @Test
  void anIndexOfTheNameThatWasReplacedIsStale() throws Exception {
    PreparedIndex first = (PreparedIndex) prepared;
    assertThat(table.publish(first)).isEmpty();
    table.append(ROWS, 10, 1);
    Prepared extension = build();
    PreparedIndex other = (PreparedIndex) build();
    table.commit(
        table.latest(),
        CreateIndex.builder()
            .withNewIndices(List.of(other.segment()))
            .withRemovedIndices(List.of(first.segment()))
            .build());

    prepared = extension;
    assertStale("expected the segments [" + first.segment().uuid() + "]");
  }

  @Test
  void anIndexOfAnotherNameIsFine() throws Exception {
    Prepared other =
        ready(
            new IndexWork(),
            Kind.INDEX,
            new BuildIndex(new IndexSpec("by_n", "n", type), List.of()));
    assertThat(table.publish(other)).isEmpty();

    assertThat(table.publish(prepared)).isEmpty();
    assertSameAnswers("id", ROWS);
  }

  @Test
  void aMissingFileIsStale() throws Exception {
    for (String name : prepared.files().sizes().keySet()) {
      byte[] content = table.storage().content(name);
      table.storage().delete(List.of(name));
      assertStale("expected the prepared file " + name + ", but it is gone");
      table.replace(name, content);
    }
    assertThat(table.publish(prepared)).isEmpty();
  }

  @Test
  void aFileOfAnotherSizeIsStale() throws Exception {
    for (String name : prepared.files().sizes().keySet()) {
      byte[] content = table.storage().content(name);
      int size = content.length;
      table.replace(name, Arrays.copyOf(content, size - 1));
      assertStale("expected " + name + " to have " + size + " bytes, but it has " + (size - 1));
      table.replace(name, content);
    }
    assertThat(table.publish(prepared)).isEmpty();
  }

  private void assertStale(String reason) {
    long version = table.latest();
    assertThat(table.publish(prepared)).contains(reason);
    assertThat(table.latest()).isEqualTo(version);
  }

  private void delete(String filter) {
    try (Dataset dataset = table.open()) {
      dataset.delete(filter);
    }
  }

  private void drop(String column) {
    try (Dataset dataset = table.open()) {
      dataset.dropColumns(List.of(column));
    }
  }

  private void addColumn() {
    try (Dataset dataset = table.open()) {
      dataset.addColumns(
          new SqlExpressions.Builder().withExpression("twice", "n * 2").build(), Optional.empty());
    }
  }

  private void assertSameAnswers(String column, int keys) throws Exception {
    String list =
        IntStream.range(0, keys).mapToObj(key -> "'k" + key + "'").collect(Collectors.joining(","));
    String each = column + " IN (" + list + ")";
    assertThat(table.find(each, true)).isEqualTo(table.find(each, false));
    String all = column + " >= 'k'";
    assertThat(table.find(all, true)).isEqualTo(table.find(all, false));
  }
}
