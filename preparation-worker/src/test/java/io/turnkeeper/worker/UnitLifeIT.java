package io.turnkeeper.worker;

import static org.assertj.core.api.Assertions.assertThat;

import io.turnkeeper.core.Kind;
import io.turnkeeper.core.table.Artifact;
import io.turnkeeper.core.table.Assignment.RunUnit;
import io.turnkeeper.core.table.CheckpointEvent.PreparationPlanned;
import io.turnkeeper.core.table.CheckpointEvent.PreparationReady;
import io.turnkeeper.core.table.ClaimEvent.UnitClaimed;
import io.turnkeeper.core.table.ClaimEvent.UnitReleased;
import io.turnkeeper.core.table.DemandEvent.IndexObserved;
import io.turnkeeper.core.table.DemandEvent.SealSource;
import io.turnkeeper.core.table.DemandEvent.TableObserved;
import io.turnkeeper.core.table.DemandEvent.WalSealed;
import io.turnkeeper.core.table.IndexType;
import io.turnkeeper.core.table.Mode;
import io.turnkeeper.core.table.PublishEvent.HeadObserved;
import io.turnkeeper.core.table.PublishEvent.TurnTaken;
import io.turnkeeper.core.table.PublishEvent.UnitNoOp;
import io.turnkeeper.core.table.PublishEvent.UnitPublished;
import io.turnkeeper.core.table.WorkSpec.Observe;
import io.turnkeeper.worker.authority.Sha256;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Attempts against a real table and a real etcd, from their claim to their release. */
class UnitLifeIT extends BenchTestCase {
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
  void everyStepIsHeardInItsOrder() throws Exception {
    List<UnitStep> steps = Collections.synchronizedList(new ArrayList<>());
    reopen((kind, step) -> steps.add(step));

    mergeSome(1, 1);

    assertThat(steps).containsExactly(UnitStep.values());
  }

  @Test
  void anIndexIsPreparedBesideMergesAndThenCompactedAndExtended() throws Exception {
    mergeSome(1, 4);
    RunUnit index = bench.order(Kind.INDEX, Mode.OUTSIDE, index());
    PreparationPlanned planned = bench.reports.await(PreparationPlanned.class);
    assertThat(planned.sourceFragments()).hasSize(4);
    bench.reports.await(PreparationReady.class, ready -> isOf(ready, index));
    mergeSome(5, 7);
    publish(index);
    assertThat(observed().indexes())
        .containsExactly(new IndexObserved("by_id", "id", IndexType.BTREE, 3, 1, false));

    RunUnit compact = prepare(Kind.COMPACT, compact());
    mergeSome(8, 8);
    publish(compact);
    assertThat(observed().fragments()).isEqualTo(3);
    assertThat(bench.rows()).isEqualTo(80);

    RunUnit extended = bench.order(Kind.INDEX, Mode.INSIDE, index());
    publish(extended);
    assertThat(observed().indexes())
        .containsExactly(new IndexObserved("by_id", "id", IndexType.BTREE, 0, 1, false));
    assertThat(bench.head().version()).isEqualTo(observed().version());
  }

  @Test
  void insideWorkWaitsForItsTurnBeforeItBegins() throws Exception {
    mergeSome(1, 3);
    RunUnit compact = bench.order(Kind.COMPACT, Mode.INSIDE, compact());
    bench.reports.await(UnitClaimed.class, claimed -> isOf(claimed, compact));
    assertThat(bench.reports.all(PreparationPlanned.class)).isEmpty();

    publish(compact);

    assertThat(bench.reports.names())
        .containsSubsequence("TurnTaken", "PreparationPlanned", "UnitPublished");
    assertThat(observed().fragments()).isEqualTo(1);
  }

  @Test
  void nothingToDoIsToldAndTheTurnGivenBack() throws Exception {
    RunUnit index = bench.order(Kind.INDEX, Mode.INSIDE, index());
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
  void aPreparationIsDescribedUntilItIsPublished() throws Exception {
    bench.wal.seal(A, 1, 0, 10);
    RunUnit unit = bench.order(Kind.MERGE_WAL, Mode.OUTSIDE, merge(Map.of(A, range(1, 1))));
    Artifact artifact = bench.reports.await(PreparationReady.class).artifact();

    assertThat(artifact.descriptor()).isEqualTo(storage().location() + "/" + descriptor(unit));
    byte[] description = storage().content(descriptor(unit));
    assertThat(description).asString().contains("\"unit\" : \"t#1\"");
    assertThat(artifact.digest()).isEqualTo(Sha256.hex(description));
    assertThat(artifact.peakBytes()).isGreaterThan(30 << 20);
    publish(unit);

    assertThat(files("_prepared")).isEmpty();
    assertThat(bench.reports.await(UnitPublished.class).peakBytes())
        .isEqualTo(bench.reports.await(UnitReleased.class).peakBytes())
        .isGreaterThanOrEqualTo(artifact.peakBytes());
    assertThat(bench.rows()).isEqualTo(10);
  }

  private static boolean isOf(PreparationReady ready, RunUnit unit) {
    return ready.attempt().equals(unit.attempt());
  }

  private static boolean isOf(UnitClaimed claimed, RunUnit unit) {
    return claimed.attempt().equals(unit.attempt());
  }
}
