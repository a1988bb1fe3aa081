package io.turnkeeper.worker;

import static org.assertj.core.api.Assertions.assertThat;

import io.turnkeeper.authority.Deadline;
import io.turnkeeper.core.FailureCode;
import io.turnkeeper.core.Kind;
import io.turnkeeper.core.Require;
import io.turnkeeper.core.ShardId;
import io.turnkeeper.core.table.Artifact;
import io.turnkeeper.core.table.Assignment.CancelUnit;
import io.turnkeeper.core.table.Assignment.RunUnit;
import io.turnkeeper.core.table.CheckpointEvent.PreparationPlanned;
import io.turnkeeper.core.table.CheckpointEvent.PreparationReady;
import io.turnkeeper.core.table.ClaimEvent.UnitClaimed;
import io.turnkeeper.core.table.ClaimEvent.UnitDeclined;
import io.turnkeeper.core.table.ClaimEvent.UnitReleased;
import io.turnkeeper.core.table.DemandEvent.IndexObserved;
import io.turnkeeper.core.table.DemandEvent.SealSource;
import io.turnkeeper.core.table.DemandEvent.TableObserved;
import io.turnkeeper.core.table.DemandEvent.WalSealed;
import io.turnkeeper.core.table.IndexSpec;
import io.turnkeeper.core.table.IndexType;
import io.turnkeeper.core.table.MergeMode;
import io.turnkeeper.core.table.Mode;
import io.turnkeeper.core.table.PublishEvent.BadGeneration;
import io.turnkeeper.core.table.PublishEvent.HeadObserved;
import io.turnkeeper.core.table.PublishEvent.PublishRefused;
import io.turnkeeper.core.table.PublishEvent.TurnTaken;
import io.turnkeeper.core.table.PublishEvent.UnitFailed;
import io.turnkeeper.core.table.PublishEvent.UnitNoOp;
import io.turnkeeper.core.table.PublishEvent.UnitPublished;
import io.turnkeeper.core.table.WorkSpec;
import io.turnkeeper.core.table.WorkSpec.BuildIndex;
import io.turnkeeper.core.table.WorkSpec.Compact;
import io.turnkeeper.core.table.WorkSpec.GenerationRange;
import io.turnkeeper.core.table.WorkSpec.MergeWal;
import io.turnkeeper.core.table.WorkSpec.Observe;
import io.turnkeeper.worker.authority.EtcdProcess;
import io.turnkeeper.worker.authority.Sha256;
import io.turnkeeper.worker.child.Children;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Attempts against a real table and a real etcd, from their claim to their release. */
@SuppressWarnings("NullAway.Init")
class UnitLifeIT {
  private static final ShardId A = new ShardId("a");
  private static final ShardId B = new ShardId("b");
  private static final IndexSpec INDEX = new IndexSpec("by_id", "id", IndexType.BTREE);

  private static EtcdProcess etcd;
  private static Children children;

  @TempDir Path dir;
  private Bench bench;

  @BeforeAll
  static void startEtcd() throws Exception {
    etcd = EtcdProcess.start();
    children = new Children(1);
  }

  @AfterAll
  static void stopEtcd() {
    children.close();
    etcd.close();
  }

  @BeforeEach
  void register() {
    bench = new Bench(etcd, children, dir, StepListener.NONE, INDEX);
  }

  @AfterEach
  void close() throws Exception {
    bench.close();
  }

  @Test
  void aMergeTellsEveryStepAndMovesTheMark() throws Exception {
    bench.wal.seal(A, 1, 0, 10);
    bench.wal.seal(B, 1, 10, 300);

    RunUnit unit =
        bench.order(Kind.MERGE_WAL, Mode.OUTSIDE, merge(Map.of(A, range(1, 1), B, range(1, 1))));
    PreparationReady ready = bench.reports.await(PreparationReady.class);
    assertThat(bench.rows()).isZero();
    long turn = bench.grant(unit);
    bench.awaitReleased(unit);

    assertThat(ready.artifact().rows()).isEqualTo(310);
    assertThat(bench.reports.await(TurnTaken.class).turn()).isEqualTo(turn);
    UnitPublished published = bench.reports.await(UnitPublished.class);
    assertThat(published.turn()).isEqualTo(turn);
    assertThat(published.versions()).containsExactly(2L);
    assertThat(published.mergedThrough()).containsEntry(A, 1L).containsEntry(B, 1L);
    assertThat(published.rows()).isEqualTo(310);
    assertThat(bench.reports.all(HeadObserved.class))
        .extracting(HeadObserved::version)
        .containsExactly(1L, 2L);
    assertThat(bench.reports.all(TableObserved.class))
        .extracting(TableObserved::rows)
        .containsExactly(0L, 310L);
    assertThat(bench.reports.names())
        .containsSubsequence(
            "UnitClaimed",
            "WorkProgressed",
            "PreparationReady",
            "TurnTaken",
            "UnitPublished",
            "TableObserved",
            "UnitReleased");
    assertThat(bench.rows()).isEqualTo(310);
    assertThat(bench.head().mergedThrough()).containsEntry(A, 1L).containsEntry(B, 1L);
  }

  @Test
  void aMergeThatIsOrderedTwiceAddsItsRowsOnce() throws Exception {
    bench.wal.seal(A, 1, 0, 10);
    RunUnit first = bench.order(Kind.MERGE_WAL, Mode.OUTSIDE, merge(Map.of(A, range(1, 1))));
    bench.reports.await(PreparationReady.class);
    bench.grant(first);
    bench.awaitReleased(first);
    long files = dataFiles();

    RunUnit second = bench.order(Kind.MERGE_WAL, Mode.OUTSIDE, merge(Map.of(A, range(1, 1))));
    bench.reports.await(PreparationReady.class, ready -> ready.attempt().equals(second.attempt()));
    bench.grant(second);
    bench.awaitReleased(second);

    assertThat(bench.reports.await(PublishRefused.class).code()).isEqualTo("STALE_PREPARATION");
    assertThat(bench.rows()).isEqualTo(10);
    assertThat(dataFiles()).isEqualTo(files);
  }

  @Test
  void aStaleTurnKeepsTheFilesForTheNextOne() throws Exception {
    bench.wal.seal(A, 1, 0, 10);
    RunUnit other = bench.order(Kind.OBSERVE, Mode.INSIDE, new Observe());
    bench.grant(other, 5);
    bench.awaitReleased(other);

    RunUnit unit = bench.order(Kind.MERGE_WAL, Mode.OUTSIDE, merge(Map.of(A, range(1, 1))));
    bench.reports.await(PreparationReady.class);
    bench.grant(unit, 4);
    PublishRefused refused = bench.reports.await(PublishRefused.class);
    assertThat(refused.code()).isEqualTo("STALE_TURN");
    assertThat(bench.reports.all(HeadObserved.class)).last().returns(5L, HeadObserved::highestTurn);

    bench.grant(unit, 6);
    bench.awaitReleased(unit);
    assertThat(bench.reports.all(PreparationReady.class)).hasSize(1);
    assertThat(bench.rows()).isEqualTo(10);
  }

  @Test
  void aTurnThatIsLostWhilePublishingKeepsTheFilesForTheNextOne() throws Exception {
    AtomicBoolean preempted = new AtomicBoolean();
    bench.close();
    bench =
        new Bench(
            etcd,
            children,
            Files.createDirectory(dir.resolve("other")),
            (kind, step) -> {
              if (step == UnitStep.STAGED && preempted.compareAndSet(false, true)) {
                bench.preempt(7);
              }
            },
            INDEX);
    bench.wal.seal(A, 1, 0, 10);
    RunUnit unit = bench.order(Kind.MERGE_WAL, Mode.OUTSIDE, merge(Map.of(A, range(1, 1))));
    bench.reports.await(PreparationReady.class);
    bench.grant(unit, 1);

    assertThat(bench.reports.await(PublishRefused.class))
        .returns("TURN_LOST", PublishRefused::code)
        .returns(1L, PublishRefused::turn);
    assertThat(bench.rows()).isZero();
    bench.grant(unit, 8);
    bench.awaitReleased(unit);

    assertThat(bench.rows()).isEqualTo(10);
    assertThat(bench.reports.all(UnitPublished.class)).hasSize(1);
    assertThat(bench.head().version()).isEqualTo(2);
  }

  @Test
  void everyStepIsHeardInItsOrder() throws Exception {
    List<UnitStep> steps = Collections.synchronizedList(new ArrayList<>());
    bench.close();
    bench =
        new Bench(
            etcd,
            children,
            Files.createDirectory(dir.resolve("other")),
            (kind, step) -> steps.add(step),
            INDEX);

    mergeSome(1, 1);

    assertThat(steps).containsExactly(UnitStep.values());
  }

  @Test
  void aBadGenerationFailsOnlyItsUnit() throws Exception {
    Files.createDirectories(bench.wal.path(A, 1).getParent());
    Files.writeString(bench.wal.path(A, 1), "not arrow");
    bench.wal.seal(B, 1, 0, 10);

    RunUnit bad = bench.order(Kind.MERGE_WAL, Mode.OUTSIDE, merge(Map.of(A, range(1, 1))));
    bench.awaitReleased(bad);
    RunUnit good = bench.order(Kind.MERGE_WAL, Mode.OUTSIDE, merge(Map.of(B, range(1, 1))));
    bench.reports.await(PreparationReady.class);
    bench.grant(good);
    bench.awaitReleased(good);

    UnitFailed failed = bench.reports.await(UnitFailed.class);
    assertThat(failed.phase()).isEqualTo("PREPARE");
    assertThat(failed.code()).isEqualTo("INVALID_WAL");
    assertThat(failed.message()).contains(bench.wal.path(A, 1).toString());
    assertThat(failed.badGeneration()).isEqualTo(new BadGeneration(A, 1));
    assertThat(bench.rows()).isEqualTo(10);
  }

  @Test
  void anIndexIsPreparedBesideMergesAndThenCompactedAndExtended() throws Exception {
    mergeSome(1, 4);
    RunUnit index = bench.order(Kind.INDEX, Mode.OUTSIDE, new BuildIndex(INDEX, List.of()));
    PreparationPlanned planned = bench.reports.await(PreparationPlanned.class);
    assertThat(planned.sourceFragments()).hasSize(4);
    bench.reports.await(PreparationReady.class, ready -> isOf(ready, index));
    mergeSome(5, 7);
    bench.grant(index);
    bench.awaitReleased(index);
    assertThat(observed().indexes())
        .containsExactly(new IndexObserved("by_id", "id", IndexType.BTREE, 3, 1, false));

    RunUnit compact = bench.order(Kind.COMPACT, Mode.OUTSIDE, compact());
    bench.reports.await(PreparationReady.class, ready -> isOf(ready, compact));
    mergeSome(8, 8);
    bench.grant(compact);
    bench.awaitReleased(compact);
    assertThat(observed().fragments()).isEqualTo(3);
    assertThat(bench.rows()).isEqualTo(80);

    RunUnit extended = bench.order(Kind.INDEX, Mode.INSIDE, new BuildIndex(INDEX, List.of()));
    bench.grant(extended);
    bench.awaitReleased(extended);
    assertThat(observed().indexes())
        .containsExactly(new IndexObserved("by_id", "id", IndexType.BTREE, 0, 1, false));
    assertThat(bench.head().version()).isEqualTo(observed().version());
  }

  @Test
  void anIndexWhoseSourcesWereRewrittenIsAConflictAndItsFilesGo() throws Exception {
    mergeSome(1, 3);
    RunUnit index = bench.order(Kind.INDEX, Mode.OUTSIDE, new BuildIndex(INDEX, List.of()));
    bench.reports.await(PreparationReady.class, ready -> isOf(ready, index));
    RunUnit compact = bench.order(Kind.COMPACT, Mode.INSIDE, compact());
    bench.grant(compact);
    bench.awaitReleased(compact);

    long turn = bench.grant(index);
    bench.awaitReleased(index);

    assertThat(bench.reports.await(PublishRefused.class))
        .returns("CONFLICT", PublishRefused::code)
        .returns(turn, PublishRefused::turn);
    assertThat(files().keySet()).noneMatch(file -> file.startsWith("_indices"));
    assertThat(observed().indexes()).isEmpty();
  }

  @Test
  void insideWorkWaitsForItsTurnBeforeItBegins() throws Exception {
    mergeSome(1, 3);
    RunUnit compact = bench.order(Kind.COMPACT, Mode.INSIDE, compact());
    bench.reports.await(UnitClaimed.class, claimed -> isOf(claimed, compact));
    assertThat(bench.reports.all(PreparationPlanned.class)).isEmpty();

    bench.grant(compact);
    bench.awaitReleased(compact);

    assertThat(bench.reports.names())
        .containsSubsequence("TurnTaken", "PreparationPlanned", "UnitPublished");
    assertThat(observed().fragments()).isEqualTo(1);
  }

  @Test
  void nothingToDoIsToldAndTheTurnGivenBack() throws Exception {
    RunUnit index = bench.order(Kind.INDEX, Mode.INSIDE, new BuildIndex(INDEX, List.of()));
    long turn = bench.grant(index);
    bench.awaitReleased(index);

    assertThat(bench.reports.await(UnitNoOp.class).version()).isEqualTo(1);
    assertThat(bench.head().highestTurn()).isEqualTo(turn);
    mergeSome(1, 1);
  }

  @Test
  void anObservationTellsOfTableAndLog() throws Exception {
    bench.wal.seal(A, 1, 0, 10);
    bench.wal.seal(A, 2, 10, 10);
    bench.wal.seal(A, 4, 30, 10);

    RunUnit observe = bench.order(Kind.OBSERVE, Mode.OUTSIDE, new Observe());
    bench.awaitReleased(observe);

    WalSealed sealed = bench.reports.await(WalSealed.class);
    assertThat(sealed.source()).isEqualTo(SealSource.SCAN);
    assertThat(sealed.sealedThrough()).isEqualTo(2);
    assertThat(sealed.rowsThrough()).isEqualTo(20);
    assertThat(sealed.writerEpoch()).isEqualTo(1);
    UnitPublished published = bench.reports.await(UnitPublished.class);
    assertThat(published.turn()).isZero();
    assertThat(published.versions()).isEmpty();
    assertThat(bench.reports.all(HeadObserved.class)).hasSize(1);
    assertThat(bench.reports.all(TableObserved.class)).hasSize(2);
  }

  @Test
  void aCancelIsAnsweredOnceAndItsFilesGo() throws Exception {
    bench.wal.seal(A, 1, 0, 10);
    RunUnit unit = bench.order(Kind.MERGE_WAL, Mode.OUTSIDE, merge(Map.of(A, range(1, 1))));
    bench.reports.await(PreparationReady.class);
    assertThat(dataFiles()).isEqualTo(1);

    CancelUnit voided = new CancelUnit(unit.attempt(), 0, "STALLED", "too slow");
    bench.attempts.cancel(voided);
    CancelUnit cancel =
        new CancelUnit(unit.attempt(), Require.MAX_NUMBER, "STALLED", "made no progress");
    bench.attempts.cancel(cancel);
    bench.attempts.cancel(cancel);
    bench.awaitReleased(unit);

    assertThat(bench.reports.all(UnitFailed.class))
        .singleElement()
        .returns("STALLED", UnitFailed::code)
        .returns("made no progress", UnitFailed::message);
    assertThat(dataFiles()).isZero();
  }

  @Test
  void aCancelKillsTheProcessAndOnlyItsOwnFilesGo() throws Exception {
    bench.wal.seal(A, 1, 0, 400_000);
    RunUnit merge = bench.order(Kind.MERGE_WAL, Mode.OUTSIDE, merge(Map.of(A, range(1, 1))));
    bench.reports.await(PreparationReady.class);
    bench.grant(merge);
    bench.awaitReleased(merge);
    SortedMap<String, Long> before = files();
    RunUnit index = bench.order(Kind.INDEX, Mode.OUTSIDE, new BuildIndex(INDEX, List.of()));
    bench.reports.await(PreparationPlanned.class);

    bench.attempts.cancel(
        new CancelUnit(index.attempt(), Require.MAX_NUMBER, "CANCELLED", "not wanted"));
    bench.awaitReleased(index);

    assertThat(bench.reports.all(PreparationReady.class)).hasSize(1);
    assertThat(files()).isEqualTo(before);
    assertThat(
            bench
                .reports
                .await(UnitReleased.class, event -> event.attempt().equals(index.attempt()))
                .peakBytes())
        .isPositive();
  }

  @Test
  void twentyRefusedPublishesInARowLeaveNothing() throws Exception {
    mergeSome(1, 1);
    SortedMap<String, Long> before = files();
    for (int i = 0; i < 20; i++) {
      RunUnit again = bench.order(Kind.MERGE_WAL, Mode.OUTSIDE, merge(Map.of(A, range(1, 1))));
      bench.reports.await(PreparationReady.class, ready -> isOf(ready, again));
      bench.grant(again);
      bench.awaitReleased(again);
    }

    assertThat(bench.reports.all(PublishRefused.class)).hasSize(20);
    assertThat(files()).isEqualTo(before);
  }

  @Test
  void aPreparationIsDescribedUntilItIsPublished() throws Exception {
    bench.wal.seal(A, 1, 0, 10);
    RunUnit unit = bench.order(Kind.MERGE_WAL, Mode.OUTSIDE, merge(Map.of(A, range(1, 1))));
    Artifact artifact = bench.reports.await(PreparationReady.class).artifact();

    Path descriptor = Path.of(artifact.descriptor());
    assertThat(Files.readString(descriptor)).contains("\"unit\" : \"t#1\"");
    assertThat(artifact.digest()).isEqualTo(Sha256.hex(Files.readAllBytes(descriptor)));
    assertThat(artifact.peakBytes()).isGreaterThan(30 << 20);
    bench.grant(unit);
    bench.awaitReleased(unit);

    assertThat(descriptor.getParent()).doesNotExist();
    assertThat(bench.reports.await(UnitPublished.class).peakBytes())
        .isEqualTo(bench.reports.await(UnitReleased.class).peakBytes())
        .isGreaterThanOrEqualTo(artifact.peakBytes());
    assertThat(bench.rows()).isEqualTo(10);
  }

  /** All files of the table, by their bytes. */
  private SortedMap<String, Long> files() throws Exception {
    Path root = Path.of(bench.registered.uri());
    SortedMap<String, Long> sizes = new TreeMap<>();
    try (Stream<Path> walk = Files.walk(root)) {
      for (Path file : walk.filter(Files::isRegularFile).toList()) {
        sizes.put(root.relativize(file).toString(), Files.size(file));
      }
    }
    return sizes;
  }

  @Test
  void drainingGivesBackWhatWaits() throws Exception {
    bench.wal.seal(A, 1, 0, 10);
    RunUnit unit = bench.order(Kind.MERGE_WAL, Mode.OUTSIDE, merge(Map.of(A, range(1, 1))));
    bench.reports.await(PreparationReady.class);

    bench.attempts.drain();
    bench.awaitReleased(unit);
    RunUnit late = bench.order(Kind.OBSERVE, Mode.OUTSIDE, new Observe());

    assertThat(bench.reports.all(UnitDeclined.class))
        .extracting(UnitDeclined::attempt)
        .containsExactly(unit.attempt(), late.attempt());
    assertThat(dataFiles()).isZero();
  }

  @Test
  void aUnitThatDoesNotFitIsGivenBackAtOnceAndReleasedMemoryIsFree() throws Exception {
    bench.wal.seal(A, 1, 0, 10);
    RunUnit unit =
        bench.order(Kind.MERGE_WAL, Mode.OUTSIDE, merge(Map.of(A, range(1, 1))), Bench.BYTES - 100);
    bench.reports.await(PreparationReady.class);

    RunUnit tooBig = bench.order(Kind.OBSERVE, Mode.OUTSIDE, new Observe(), 101);
    assertThat(bench.reports.all(UnitDeclined.class))
        .containsExactly(new UnitDeclined(tooBig.attempt(), FailureCode.NO_MEMORY.name()));
    bench.awaitReleased(bench.order(Kind.OBSERVE, Mode.OUTSIDE, new Observe(), 100));

    bench.grant(unit);
    bench.awaitReleased(unit);
    bench.awaitReleased(bench.order(Kind.OBSERVE, Mode.OUTSIDE, new Observe(), Bench.BYTES));
    assertThat(bench.reports.all(UnitDeclined.class)).hasSize(1);
  }

  @Test
  void aFactThatCannotBeToldStopsTheAttempt() throws Exception {
    bench.wal.seal(A, 1, 0, 10);
    bench.reports.refuse(event -> event instanceof PreparationReady);
    RunUnit unit = bench.order(Kind.MERGE_WAL, Mode.OUTSIDE, merge(Map.of(A, range(1, 1))));
    bench.reports.await(UnitClaimed.class, claimed -> isOf(claimed, unit));

    assertThat(bench.attempts.awaitEnd(Deadline.after(Duration.ofSeconds(30)))).isTrue();
    assertThat(dataFiles()).isZero();
  }

  private void mergeSome(int first, int last) throws Exception {
    for (int generation = first; generation <= last; generation++) {
      bench.wal.seal(A, generation, generation * 10, 10);
      RunUnit unit =
          bench.order(
              Kind.MERGE_WAL, Mode.OUTSIDE, merge(Map.of(A, range(generation, generation))));
      bench.reports.await(PreparationReady.class, ready -> isOf(ready, unit));
      bench.grant(unit);
      bench.awaitReleased(unit);
    }
  }

  private static boolean isOf(PreparationReady ready, RunUnit unit) {
    return ready.attempt().equals(unit.attempt());
  }

  private static boolean isOf(UnitClaimed claimed, RunUnit unit) {
    return claimed.attempt().equals(unit.attempt());
  }

  private TableObserved observed() {
    List<TableObserved> all = bench.reports.all(TableObserved.class);
    return all.get(all.size() - 1);
  }

  private long dataFiles() throws Exception {
    Path data = Path.of(bench.registered.uri()).resolve("data");
    if (!Files.isDirectory(data)) {
      return 0;
    }
    try (Stream<Path> files = Files.list(data)) {
      return files.count();
    }
  }

  private static WorkSpec compact() {
    return new Compact(Bench.TARGET_ROWS, 1 << 30, 100, List.of());
  }

  private static GenerationRange range(long first, long last) {
    return new GenerationRange(first, last);
  }

  private static WorkSpec merge(Map<ShardId, GenerationRange> ranges) {
    return new MergeWal(new TreeMap<>(ranges), new TreeMap<>(), MergeMode.APPEND, List.of());
  }
}
