package io.turnkeeper.core.table;

import static org.assertj.core.api.Assertions.assertThat;

import io.turnkeeper.core.ShardId;
import io.turnkeeper.core.TableId;
import io.turnkeeper.core.table.DemandEvent.SealSource;
import io.turnkeeper.core.table.DemandEvent.WalSealed;
import org.junit.jupiter.api.Test;

/** One log: generation g is sealed at second g and the log is then g · 100 bytes long. */
class ShardTest {
  @Test
  void eachDimensionIsItsOwnMaximum() {
    Shard shard =
        sealed(sealed(Shard.EMPTY, 3, 7, 100, 900, 50), 2, 9, 90, 950, 40); // Epoch and bytes low.
    assertThat(shard.writerEpoch()).isEqualTo(3);
    assertThat(shard.sealedThrough()).isEqualTo(9);
    assertThat(shard.bytesThrough()).isEqualTo(100);
    assertThat(shard.rowsThrough()).isEqualTo(950);
  }

  @Test
  void whatIsPendingIsWhatIsSealedAndNotMerged() {
    Shard shard = sealedOneByOne(10).mergedTo(4);
    assertThat(shard.pending()).isEqualTo(6);
    assertThat(shard.pendingBytes()).isEqualTo(600);
    assertThat(shard.bytesUpTo(7)).isEqualTo(300);
    assertThat(shard.bytesUpTo(10)).isEqualTo(600);
    assertThat(shard.bytesUpTo(11)).as("nothing is known beyond").isEqualTo(600);
    assertThat(shard.mergedTo(10).pendingBytes()).isZero();
    assertThat(shard.mergedTo(10).bytesUpTo(12)).isZero();
    assertThat(shard.mergedTo(12).pending()).isZero();
  }

  @Test
  void aMarkIsMergedOnceAndNeverFalls() {
    Shard shard = sealedOneByOne(10).mergedTo(4);
    assertThat(shard.mergedTo(4)).isSameAs(shard);
    assertThat(shard.mergedTo(3)).isSameAs(shard);
    assertThat(shard.mergedTo(5).mergedThrough()).isEqualTo(5);
  }

  @Test
  void aLateSealSaysOnlyHowManyBytesAreMerged() {
    Shard shard = at(Shard.EMPTY, 10).mergedTo(4);
    assertThat(shard.pendingBytes()).as("merged bytes are not known").isEqualTo(1_000);
    Shard told = at(shard, 4);
    assertThat(told.pendingBytes()).isEqualTo(600);
    assertThat(told.marks()).isEqualTo(shard.marks());
    assertThat(at(told, 3).pendingBytes()).isEqualTo(600);
    assertThat(at(told, 5).marks()).hasSize(2);
  }

  @Test
  void theOldestIsKnownOnlyIfItIsTheLowestPending() {
    Shard shard = sealedOneByOne(5);
    assertThat(shard.oldestFlushMillis()).isEqualTo(1_000);
    assertThat(shard.knowsOldestFlush()).isTrue();
    assertThat(at(Shard.EMPTY, 2).knowsOldestFlush()).isFalse();
    assertThat(shard.mergedTo(2).oldestFlushMillis()).isEqualTo(3_000);
    assertThat(shard.mergedTo(5).oldestFlushMillis()).isZero();
  }

  @Test
  void theLowest63TimesAndTheNewestAreKept() {
    Shard shard = sealedOneByOne(100);
    assertThat(shard.marks()).hasSize(64);
    assertThat(shard.marks().get(62).generation()).isEqualTo(63);
    assertThat(shard.marks().get(63).generation()).isEqualTo(100);
  }

  @Test
  void aMergeTakesWholeGenerationsUpToItsBytes() {
    Shard shard = sealedOneByOne(10).mergedTo(2);
    assertThat(shard.lastWithin(6, 400)).as("all that was asked for").isEqualTo(6);
    assertThat(shard.lastWithin(6, 399)).isEqualTo(5);
    assertThat(shard.lastWithin(10, 300)).isEqualTo(5);
    assertThat(shard.lastWithin(10, 299)).isEqualTo(4);
    assertThat(shard.lastWithin(10, 100)).isEqualTo(3);
    assertThat(shard.lastWithin(10, 1)).as("always at least one").isEqualTo(3);
  }

  @Test
  void generationsOfUnknownSizeAreTakenToBeOfOneSize() {
    Shard shard = at(Shard.EMPTY, 20).mergedTo(10); // 10 pending, at most 2,000 bytes, 200 each.
    assertThat(shard.lastWithin(20, 1_000)).isEqualTo(15);
    assertThat(shard.lastWithin(12, 1_000)).isEqualTo(12);
    assertThat(shard.lastWithin(20, 100)).isEqualTo(11);
    assertThat(shard.lastWithin(20, 2_000)).isEqualTo(20);
  }

  @Test
  void skippedAndBadGenerationsAreForgottenWhenTheyAreMerged() {
    Shard shard = sealedOneByOne(10).withBadGeneration(6).withBadGeneration(8);
    assertThat(shard.badGeneration()).as("the lowest").isEqualTo(6);
    assertThat(shard.withBadGeneration(5).badGeneration()).isEqualTo(5);
    Shard skipped = shard.skipping(9).skipping(6);
    assertThat(skipped.skipped()).containsExactly(6L, 9L);
    assertThat(skipped.badGeneration()).isZero();
    assertThat(shard.skipping(9).badGeneration()).isEqualTo(6);
    assertThat(skipped.skipping(6)).isSameAs(skipped);
    assertThat(skipped.withBadGeneration(6)).isSameAs(skipped);
    assertThat(skipped.mergedTo(6).skipped()).containsExactly(9L);
    assertThat(shard.mergedTo(5).badGeneration()).isEqualTo(6);
    assertThat(shard.mergedTo(6).badGeneration()).isZero();
  }

  @Test
  void whatIsMergedIsNeitherSkippedNorBad() {
    Shard shard = sealedOneByOne(10).mergedTo(4);
    assertThat(shard.skipping(4)).isSameAs(shard);
    assertThat(shard.withBadGeneration(4)).isSameAs(shard);
    assertThat(shard.skipping(5).skipped()).containsExactly(5L);
    assertThat(shard.withBadGeneration(5).badGeneration()).isEqualTo(5);
  }

  private static Shard sealedOneByOne(long through) {
    Shard shard = Shard.EMPTY;
    for (long generation = 1; generation <= through; generation++) {
      shard = at(shard, generation);
    }
    return shard;
  }

  private static Shard at(Shard shard, long generation) {
    return sealed(shard, 1, generation, generation * 100, generation * 10, generation * 1_000);
  }

  private static Shard sealed(
      Shard shard, long epoch, long through, long bytes, long rows, long flushedAtMillis) {
    return shard.sealed(
        new WalSealed(
            new TableId("t"),
            1,
            new ShardId("s"),
            epoch,
            through,
            bytes,
            rows,
            flushedAtMillis,
            SealSource.SCAN));
  }
}
