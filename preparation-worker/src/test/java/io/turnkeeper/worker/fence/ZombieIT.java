package io.turnkeeper.worker.fence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.turnkeeper.authority.Deadline;
import io.turnkeeper.authority.HeldTurn;
import io.turnkeeper.core.FailureCode;
import io.turnkeeper.events.storage.Storage;
import io.turnkeeper.worker.fence.CrashPoint.Step;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.lance.operation.Operation;

/** Holders that are paused, killed or deceived in the middle of a commit. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class ZombieIT extends FenceTrial {

  /** Something that happens to the table while a holder is paused. */
  private interface Meanwhile {
    void happens(HeldTurn paused) throws Exception;
  }

  @Test
  void aPausedHolderIsRefusedAfterAHigherTurnCommitted() throws Exception {
    assertFenced(pausedWhile(paused -> append(2, "awake", 7)), FailureCode.TURN_LOST);
    assertThat(table.version()).isEqualTo(2);
    assertThat(table.rowsOf("awake")).isEqualTo(7);
    assertThat(table.rowsOf("zombie")).isZero();
    assertThat(head().turn()).isEqualTo(2);
    assertThat(files("_fence")).hasSize(1);
  }

  @Test
  void aPausedHolderIsRefusedAfterAHigherTurnWasReleased() throws Exception {
    assertFenced(
        pausedWhile(paused -> authority().release(take(2), soon())), FailureCode.TURN_LOST);
    assertThat(table.version()).isEqualTo(1);
    assertThat(head().version()).isEqualTo(1);
    assertThat(files("_fence")).isEmpty();
  }

  @Test
  void aPausedHolderIsRefusedAfterItsLeaseEnded() throws Exception {
    assertFenced(pausedWhile(etcd::revoke), FailureCode.TURN_LOST);
    assertThat(table.version()).isEqualTo(1);
  }

  @Test
  void aHolderThatLostItsTurnBeforeItBeganIsRefused() throws Exception {
    HeldTurn lower = take(1);
    try (FencedTable fenced = open(lower)) {
      append(2, "awake", 7);
      assertFenced(append(fenced, "zombie", 1), FailureCode.TURN_LOST);
    }
    OpenOutcome<FencedTable> late = new Fence(authority()).open(lower, uri, allocator, soon());
    assertThat(((OpenOutcome.Refused<FencedTable>) late).code()).isEqualTo(FailureCode.TURN_LOST);
    assertThat(table.rowsOf("zombie")).isZero();
  }

  @Test
  void aCrashBeforeTheCommitLeavesNothing() throws Exception {
    crashAt(Step.STAGED);
    assertThat(head().version()).isEqualTo(1);
    assertThat(table.version()).isEqualTo(1);
    assertPublished(append(2, "next", 2), 2);
    assertThat(table.rowsOf("crashed")).isZero();
  }

  @Test
  void aCrashBeforeMaterialisingIsRepairedByTheNextReader() throws Exception {
    crashAt(Step.COMMITTED);
    assertThat(head().version()).isEqualTo(2);
    assertThat(table.version()).isEqualTo(1);
    try (TableSnapshot snapshot = read()) {
      assertThat(snapshot.dataset().version()).isEqualTo(2);
      assertThat(snapshot.dataset().countRows("writer = 'crashed'")).isEqualTo(5);
    }
    assertThat(table.version()).isEqualTo(2);
    assertThat(table.rowsOf("crashed")).isEqualTo(5);
  }

  @Test
  void aCrashBeforeMaterialisingIsRepairedByTheNextHolder() throws Exception {
    crashAt(Step.COMMITTED);
    assertPublished(append(2, "next", 2), 3);
    assertThat(table.rowsOf("crashed")).isEqualTo(5);
    assertThat(table.rowsOf("next")).isEqualTo(2);
  }

  @Test
  void aCrashAfterMaterialisingNeedsNoRepair() throws Exception {
    crashAt(Step.MATERIALISED);
    assertThat(table.rowsOf("crashed")).isEqualTo(5);
    assertPublished(append(2, "next", 2), 3);
  }

  @Test
  void aLostAnswerMakesOneVersion() throws Exception {
    HeldTurn held = take(1);
    try (FencedTable fenced = open(held)) {
      etcd.kv().loseAnswers(2);
      assertPublished(append(fenced, "once", 5), 2);
      assertThat(etcd.kv().lost()).isEqualTo(2);
    }
    assertThat(table.version()).isEqualTo(2);
    assertThat(table.rowsOf("once")).isEqualTo(5);
    assertThat(head().version()).isEqualTo(2);
  }

  @Test
  void anAnswerThatNeverComesIsUnknownAndDeletesNothing() throws Exception {
    HeldTurn held = take(1);
    OpenOutcome<FencedTable> outcome =
        new Fence(authority()).open(held, uri, allocator, Deadline.after(Duration.ofSeconds(2)));
    try (FencedTable fenced = ((OpenOutcome.Opened<FencedTable>) outcome).table()) {
      etcd.kv().loseAnswers(Integer.MAX_VALUE);
      PublishOutcome unknown = append(fenced, "unsure", 5);
      assertThat(unknown).isInstanceOf(PublishOutcome.Unknown.class);
      assertThat(append(fenced, "more", 5)).isEqualTo(unknown);
      etcd.kv().loseAnswers(0);
    }
    try (TableSnapshot snapshot = read()) {
      assertThat(snapshot.dataset().countRows()).isEqualTo(5);
    }
    assertThat(table.rowsOf("more")).isZero();
  }

  @Test
  void aCommitAroundTheTurnsIsFoundWhenTheTableIsOpened() {
    table.commitAround(table.append("rogue", 4));
    OpenOutcome<FencedTable> outcome = new Fence(authority()).open(take(1), uri, allocator, soon());
    assertThat(((OpenOutcome.Refused<FencedTable>) outcome).code())
        .isEqualTo(FailureCode.FORKED_HISTORY);
    OpenOutcome<TableSnapshot> reading = new Fence(authority()).read(TABLE, allocator, soon());
    assertThat(((OpenOutcome.Refused<TableSnapshot>) reading).code())
        .isEqualTo(FailureCode.FORKED_HISTORY);
  }

  @Test
  void aCommitAroundTheTurnsIsFoundBeforeTheNextCommit() throws Exception {
    try (FencedTable fenced = open(take(1))) {
      table.commitAround(table.append("rogue", 4));
      assertFenced(append(fenced, "fenced", 1), FailureCode.FORKED_HISTORY);
    }
    assertThat(head().version()).isEqualTo(1);
    assertThat(table.rowsOf("fenced")).isZero();
  }

  @Test
  void aCommitAroundTheTurnsInTheLastMomentIsNotOverwritten() throws Exception {
    Operation rogue = table.append("rogue", 4);
    CrashPoint interfere =
        step -> {
          if (step == Step.STAGED) {
            table.commitAround(rogue);
          }
        };
    try (FencedTable fenced = open(take(1), interfere)) {
      PublishOutcome outcome = append(fenced, "fenced", 1);
      assertThat(((PublishOutcome.Unknown) outcome).code()).isEqualTo(FailureCode.FORKED_HISTORY);
    }
    assertThat(table.rowsOf("rogue")).isEqualTo(4);
    assertThat(table.rowsOf("fenced")).isZero();
    OpenOutcome<TableSnapshot> reading = new Fence(authority()).read(TABLE, allocator, soon());
    assertThat(((OpenOutcome.Refused<TableSnapshot>) reading).code())
        .isEqualTo(FailureCode.FORKED_HISTORY);
  }

  @Test
  void aManifestWithOtherBytesNeverReachesLance() throws Exception {
    append(1, "a", 2);
    Storage files = Storage.at(uri);
    byte[] bytes = files.content(ManifestPaths.visible(2));
    bytes[bytes.length / 2] ^= 0x55;
    files.delete(List.of(ManifestPaths.visible(2)));
    files.createIfAbsent(ManifestPaths.visible(2), bytes);
    OpenOutcome<TableSnapshot> reading = new Fence(authority()).read(TABLE, allocator, soon());
    assertThat(((OpenOutcome.Refused<TableSnapshot>) reading).code())
        .isEqualTo(FailureCode.FORKED_HISTORY);
  }

  /** Appends under turn 1 and is paused just before the authority is asked. */
  private PublishOutcome pausedWhile(Meanwhile meanwhile) throws Exception {
    CountDownLatch staged = new CountDownLatch(1);
    CountDownLatch resumed = new CountDownLatch(1);
    CrashPoint pause =
        step -> {
          if (step == Step.STAGED) {
            staged.countDown();
            await(resumed);
          }
        };
    HeldTurn held = take(1);
    try (FencedTable fenced = open(held, pause)) {
      CompletableFuture<PublishOutcome> zombie =
          CompletableFuture.supplyAsync(() -> append(fenced, "zombie", 3));
      await(staged);
      meanwhile.happens(held);
      resumed.countDown();
      return zombie.get(30, TimeUnit.SECONDS);
    }
  }

  /** Appends under turn 1 and dies at {@code crash}, as far as the table can tell. */
  private void crashAt(Step crash) {
    CrashPoint die =
        step -> {
          if (step == crash) {
            throw new IllegalStateException("crash at " + step);
          }
        };
    HeldTurn held = take(1);
    try (FencedTable fenced = open(held, die)) {
      assertThat(catchThrowable(() -> append(fenced, "crashed", 5)))
          .hasRootCauseMessage("crash at " + crash);
    }
  }

  private static void await(CountDownLatch latch) {
    try {
      if (!latch.await(30, TimeUnit.SECONDS)) {
        throw new IllegalStateException("expected the other side within 30 s");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }
}
