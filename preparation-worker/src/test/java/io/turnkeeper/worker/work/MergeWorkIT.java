package io.turnkeeper.worker.work;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import io.turnkeeper.core.FailureCode;
import io.turnkeeper.core.Kind;
import io.turnkeeper.core.ShardId;
import io.turnkeeper.core.table.IndexSpec;
import io.turnkeeper.core.table.IndexType;
import io.turnkeeper.core.table.MergeMode;
import io.turnkeeper.core.table.PublishEvent.BadGeneration;
import io.turnkeeper.core.table.WorkSpec.BuildIndex;
import io.turnkeeper.core.table.WorkSpec.GenerationRange;
import io.turnkeeper.core.table.WorkSpec.MergeWal;
import io.turnkeeper.worker.wal.Generations;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class MergeWorkIT extends LanceTestCase {
  private static final ShardId A = new ShardId("a");
  private static final ShardId B = new ShardId("b");

  private final MergeWork work = new MergeWork();

  @SuppressWarnings("NullAway.Init")
  private Generations wal;

  @BeforeEach
  void openLog() {
    wal = new Generations(table.wal(), allocator);
  }

  @Test
  void generationsOfTwoShardsBecomeOneFragment() throws Exception {
    wal.seal(A, 1, 0, 1);
    wal.seal(A, 2, 1, 350);
    wal.seal(B, 1, 351, 49);

    Prepared prepared = ready(work, Kind.MERGE_WAL, spec(Map.of(A, range(1, 2), B, range(1, 1))));

    assertThat(table.rows()).isZero();
    assertThat(prepared.artifact().rows()).isEqualTo(400);
    assertThat(progress.rows).isEqualTo(400);
    assertThat(progress.bytesRead).isPositive();
    assertThat(table.publish(prepared)).isEmpty();
    assertThat(table.fragments()).hasSize(1);
    assertThat(table.find("n >= 0", false)).isEqualTo(LongStream.range(0, 400).boxed().toList());
    assertThat(prepared.mergedThrough()).containsEntry(A, 2L).containsEntry(B, 1L);
  }

  @Test
  void aMergeThatIsExecutedTwiceAddsItsRowsOnce() throws Exception {
    wal.seal(A, 1, 0, 10);
    Prepared first = ready(work, Kind.MERGE_WAL, spec(Map.of(A, range(1, 1))));
    Prepared second = ready(work, Kind.MERGE_WAL, spec(Map.of(A, range(1, 1))));

    assertThat(table.publish(first)).isEmpty();

    assertThat(table.publish(second))
        .isEqualTo(
            "expected the generations of shard a to begin at 2, behind what is merged, but they"
                + " begin at 1");
    assertThat(table.rows()).isEqualTo(10);
  }

  @Test
  void skippedAndEmptyGenerationsMoveTheMark() throws Exception {
    wal.seal(A, 1, 0, 0);
    Files.createDirectories(wal.path(A, 2).getParent());
    Files.writeString(wal.path(A, 2), "garbage");

    Prepared prepared =
        ready(work, Kind.MERGE_WAL, spec(Map.of(A, range(1, 2)), Map.of(A, List.of(2L))));

    assertThat(table.publish(prepared)).isEmpty();
    assertThat(table.rows()).isZero();
    assertThat(table.head().mergedThrough(A)).isEqualTo(2);
  }

  @Test
  void aTruncatedGenerationIsRefusedAndLeavesNothing() throws Exception {
    wal.seal(A, 1, 0, 10);
    wal.seal(A, 2, 10, 300);
    Path bad = wal.path(A, 2);
    byte[] whole = Files.readAllBytes(bad);
    Files.write(
        bad,
        java.util.Arrays.copyOf(whole, whole.length - 8),
        StandardOpenOption.TRUNCATE_EXISTING);

    assertInvalid(2, "truncated");
  }

  @Test
  void aGenerationOfAnotherSchemaIsRefusedAndLeavesNothing() throws Exception {
    wal.seal(A, 1, 0, 10);
    Files.copy(OtherSchema.write(dir.resolve("other.arrow"), allocator), wal.path(A, 2));

    assertInvalid(2, "where the table has");
  }

  @Test
  void aGenerationThatIsNotArrowIsRefusedAndLeavesNothing() throws Exception {
    wal.seal(A, 1, 0, 10);
    Files.write(wal.path(A, 2), "id,n\n1,2\n".getBytes(StandardCharsets.UTF_8));

    assertInvalid(2, "it is not one");
  }

  @Test
  void aMissingGenerationIsRefusedAndLeavesNothing() throws Exception {
    wal.seal(A, 1, 0, 10);

    assertInvalid(2, "the file is missing");
  }

  @Test
  void aCancelledMergeLeavesNothing() throws Exception {
    wal.seal(A, 1, 0, 1_000);
    progress.cancelAfter = 3;

    assertThatThrownBy(() -> prepare(spec(Map.of(A, range(1, 1)))))
        .isInstanceOf(WorkCancelledException.class);
    assertThat(table.files()).isEmpty();
  }

  @Test
  void anUpsertReplacesRowsOfTheSameKeysAndAddsTheOthers() throws Exception {
    table.append(0, 10, 2);
    wal.seal(A, 1, rows(5, 1_005), rows(25, 1_025));
    wal.seal(B, 1, rows(6, 1_006));
    SortedSet<String> before = table.files();

    Prepared prepared = ready(work, Kind.MERGE_WAL, upsert(Map.of(A, range(1, 1), B, range(1, 1))));

    assertThat(table.find("n > 1000", false)).isEmpty();
    assertThat(prepared.artifact().rows()).isEqualTo(3);
    assertThat(table.publish(prepared)).isEmpty();
    assertThat(table.rows()).isEqualTo(21);
    assertThat(table.find("id IN ('k5', 'k6', 'k25')", false))
        .containsExactly(1_005L, 1_006L, 1_025L);
    assertThat(table.files()).containsAll(before);
    assertThat(prepared.mergedThrough()).containsEntry(A, 1L).containsEntry(B, 1L);
  }

  @Test
  void ofRowsWithOneKeyTheLastIsKept() throws Exception {
    wal.seal(A, 1, rows(1, 10), rows(2, 20), rows(1, 11));
    wal.seal(A, 2, rows(1, 12));

    assertThat(table.publish(ready(work, Kind.MERGE_WAL, upsert(Map.of(A, range(1, 2))))))
        .isEmpty();

    assertThat(table.find("n > 0", false)).containsExactly(12L, 20L);
  }

  @Test
  void anUpsertOverAnIndexedKeyAnswersLikeAScan() throws Exception {
    table.append(0, 50, 4);
    table.publish(
        ready(
            new IndexWork(),
            Kind.INDEX,
            new BuildIndex(new IndexSpec("by_id", "id", IndexType.BTREE), List.of())));
    wal.seal(A, 1, rows(7, 1_007), rows(300, 1_300));

    assertThat(table.publish(ready(work, Kind.MERGE_WAL, upsert(Map.of(A, range(1, 1))))))
        .isEmpty();

    for (String key : List.of("k7", "k8", "k199", "k300", "nobody")) {
      String filter = "id = '" + key + "'";
      assertThat(table.find(filter, true)).isEqualTo(table.find(filter, false));
    }
    assertThat(table.find("id = 'k7'", true)).containsExactly(1_007L);
    assertThat(table.rows()).isEqualTo(201);
  }

  @Test
  void anUpsertBeforeWhichRowsWereWrittenIsStale() throws Exception {
    table.append(0, 10, 1);
    wal.seal(A, 1, rows(15, 1_015));
    Prepared prepared = ready(work, Kind.MERGE_WAL, upsert(Map.of(A, range(1, 1))));
    // Holds key 15 too: published anyway, the key would be there twice.
    table.append(10, 10, 1);

    assertThat(table.publish(prepared)).contains("expected no rows to be written since version 2");

    prepared.files().delete();
    assertThat(table.find("id = 'k15'", false)).containsExactly(15L);
  }

  @Test
  void anUpsertThatIsExecutedTwiceWritesItsRowsOnce() throws Exception {
    wal.seal(A, 1, rows(1, 10));
    Prepared first = ready(work, Kind.MERGE_WAL, upsert(Map.of(A, range(1, 1))));
    Prepared second = ready(work, Kind.MERGE_WAL, upsert(Map.of(A, range(1, 1))));

    assertThat(table.publish(first)).isEmpty();
    assertThat(table.publish(second)).contains("to begin at 2");
    assertThat(table.rows()).isEqualTo(1);
  }

  @Test
  void aRowWithoutAKeyIsRefusedAndLeavesNothing() throws Exception {
    wal.seal(A, 1, rows(1, 10), Generations.WITHOUT_KEY);

    assertThatThrownBy(() -> prepare(upsert(Map.of(A, range(1, 1)))))
        .hasMessageContaining("a row has no value in key column id")
        .asInstanceOf(type(WorkFailedException.class))
        .returns(FailureCode.INVALID_WAL, WorkFailedException::code)
        .returns(new BadGeneration(A, 1), WorkFailedException::badGeneration);
    assertThat(table.files()).isEmpty();
  }

  @Test
  void aKeyColumnThatIsNotThereIsRefusedInWords() throws Exception {
    wal.seal(A, 1, 0, 10);
    MergeWal upsert =
        new MergeWal(
            new TreeMap<>(Map.of(A, range(1, 1))),
            new TreeMap<>(),
            MergeMode.UPSERT,
            List.of("key"));

    assertThatThrownBy(() -> prepare(upsert))
        .hasMessage("expected key columns among [id, n], but they are [key]")
        .asInstanceOf(type(WorkFailedException.class))
        .returns(FailureCode.BAD_POLICY, WorkFailedException::code);
  }

  private static Generations.Row rows(int key, long value) {
    return new Generations.Row("k" + key, value);
  }

  private static MergeWal upsert(Map<ShardId, GenerationRange> ranges) {
    return new MergeWal(new TreeMap<>(ranges), new TreeMap<>(), MergeMode.UPSERT, List.of("id"));
  }

  @Test
  void aPreparedFileThatIsGoneIsStale() throws Exception {
    wal.seal(A, 1, 0, 10);
    Prepared prepared = ready(work, Kind.MERGE_WAL, spec(Map.of(A, range(1, 1))));
    prepared.files().table().delete(List.of(prepared.files().sizes().firstKey()));

    assertThat(table.publish(prepared)).contains("expected the prepared file");
  }

  private void assertInvalid(long generation, String reason) throws Exception {
    assertThatThrownBy(() -> prepare(spec(Map.of(A, range(1, generation)))))
        .hasMessageContaining(wal.path(A, generation).toString())
        .hasMessageContaining(reason)
        .asInstanceOf(type(WorkFailedException.class))
        .returns(FailureCode.INVALID_WAL, WorkFailedException::code)
        .returns(new BadGeneration(A, generation), WorkFailedException::badGeneration);
    assertThat(table.files()).isEmpty();
  }

  private void prepare(MergeWal spec) throws Exception {
    StagedWork.prepare(work, table.unit(Kind.MERGE_WAL, spec), allocator, progress);
  }

  private static GenerationRange range(long first, long last) {
    return new GenerationRange(first, last);
  }

  private static MergeWal spec(Map<ShardId, GenerationRange> ranges) {
    return spec(ranges, Map.of());
  }

  private static MergeWal spec(
      Map<ShardId, GenerationRange> ranges, Map<ShardId, List<Long>> skipped) {
    return new MergeWal(new TreeMap<>(ranges), new TreeMap<>(skipped), MergeMode.APPEND, List.of());
  }
}
