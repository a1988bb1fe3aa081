package io.turnkeeper.worker;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import io.turnkeeper.authority.Deadline;
import io.turnkeeper.core.FailureCode;
import io.turnkeeper.core.Kind;
import io.turnkeeper.core.Require;
import io.turnkeeper.core.table.Assignment.CancelUnit;
import io.turnkeeper.core.table.Assignment.RunUnit;
import io.turnkeeper.core.table.CheckpointEvent.PreparationPlanned;
import io.turnkeeper.core.table.CheckpointEvent.PreparationReady;
import io.turnkeeper.core.table.ClaimEvent.UnitClaimed;
import io.turnkeeper.core.table.ClaimEvent.UnitDeclined;
import io.turnkeeper.core.table.ClaimEvent.UnitReleased;
import io.turnkeeper.core.table.Mode;
import io.turnkeeper.core.table.PublishEvent.BadGeneration;
import io.turnkeeper.core.table.PublishEvent.HeadObserved;
import io.turnkeeper.core.table.PublishEvent.PublishRefused;
import io.turnkeeper.core.table.PublishEvent.UnitFailed;
import io.turnkeeper.core.table.PublishEvent.UnitPublished;
import io.turnkeeper.core.table.WorkSpec.Observe;
import io.turnkeeper.worker.wal.Generations;
import java.time.Duration;
import java.util.Map;
import java.util.SortedMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Attempts that are refused, cancelled, given back or fail, and what they leave. */
class UnitEndingIT extends BenchTestCase {
  private static final long TOO_BIG = Bench.BYTES + 1;

  @Test
  void aMergeThatIsOrderedTwiceAddsItsRowsOnce() throws Exception {
    bench.wal.seal(A, 1, 0, 10);
    RunUnit first = prepare(Kind.MERGE_WAL, merge(Map.of(A, range(1, 1))));
    publish(first);
    long files = files("data").size();

    RunUnit second = prepare(Kind.MERGE_WAL, merge(Map.of(A, range(1, 1))));
    publish(second);

    assertThat(bench.reports.await(PublishRefused.class).code()).isEqualTo("STALE_PREPARATION");
    assertThat(bench.rows()).isEqualTo(10);
    assertThat(files("data").size()).isEqualTo(files);
  }

  @Test
  void aStaleTurnKeepsTheFilesForTheNextOne() throws Exception {
    bench.wal.seal(A, 1, 0, 10);
    RunUnit other = bench.order(Kind.OBSERVE, Mode.INSIDE, new Observe());
    bench.grant(other, 5);
    bench.awaitReleased(other);

    RunUnit unit = prepare(Kind.MERGE_WAL, merge(Map.of(A, range(1, 1))));
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
    reopen(
        (kind, step) -> {
          if (step == UnitStep.STAGED && preempted.compareAndSet(false, true)) {
            bench.preempt(7);
          }
        });
    bench.wal.seal(A, 1, 0, 10);
    RunUnit unit = prepare(Kind.MERGE_WAL, merge(Map.of(A, range(1, 1))));
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
  void aBadGenerationFailsOnlyItsUnit() throws Exception {
    bench.wal.seal(A, 1, "not arrow".getBytes(UTF_8));
    bench.wal.seal(B, 1, 0, 10);

    RunUnit bad = bench.order(Kind.MERGE_WAL, Mode.OUTSIDE, merge(Map.of(A, range(1, 1))));
    bench.awaitReleased(bad);
    RunUnit good = prepare(Kind.MERGE_WAL, merge(Map.of(B, range(1, 1))));
    publish(good);

    UnitFailed failed = bench.reports.await(UnitFailed.class);
    assertThat(failed.phase()).isEqualTo("PREPARE");
    assertThat(failed.code()).isEqualTo("INVALID_WAL");
    assertThat(failed.message()).contains(Generations.name(A, 1));
    assertThat(failed.badGeneration()).isEqualTo(new BadGeneration(A, 1));
    assertThat(bench.rows()).isEqualTo(10);
  }

  @Test
  void anIndexWhoseSourcesWereRewrittenIsAConflictAndItsFilesGo() throws Exception {
    mergeSome(1, 3);
    RunUnit index = prepare(Kind.INDEX, index());
    RunUnit compact = bench.order(Kind.COMPACT, Mode.INSIDE, compact());
    publish(compact);

    long turn = bench.grant(index);
    bench.awaitReleased(index);

    assertThat(bench.reports.await(PublishRefused.class))
        .returns("CONFLICT", PublishRefused::code)
        .returns(turn, PublishRefused::turn);
    assertThat(files().keySet()).noneMatch(file -> file.startsWith("_indices"));
    assertThat(observed().indexes()).isEmpty();
  }

  @Test
  void aCancelIsAnsweredOnceAndItsFilesGo() throws Exception {
    bench.wal.seal(A, 1, 0, 10);
    RunUnit unit = prepare(Kind.MERGE_WAL, merge(Map.of(A, range(1, 1))));
    assertThat(files("data").size()).isEqualTo(1);

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
    assertThat(files("data").size()).isZero();
  }

  @Test
  void aCancelKillsTheProcessAndOnlyItsOwnFilesGo() throws Exception {
    bench.wal.seal(A, 1, 0, 400_000);
    RunUnit merge = prepare(Kind.MERGE_WAL, merge(Map.of(A, range(1, 1))));
    publish(merge);
    SortedMap<String, Long> before = files();
    RunUnit index = bench.order(Kind.INDEX, Mode.OUTSIDE, index());
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
  void drainingGivesBackWhatWaits() throws Exception {
    bench.wal.seal(A, 1, 0, 10);
    RunUnit unit = prepare(Kind.MERGE_WAL, merge(Map.of(A, range(1, 1))));

    bench.attempts.drain();
    bench.awaitReleased(unit);
    RunUnit late = bench.order(Kind.OBSERVE, Mode.OUTSIDE, new Observe());
    awaitDeclined(late);

    assertThat(bench.reports.all(UnitDeclined.class))
        .extracting(UnitDeclined::attempt)
        .containsExactly(unit.attempt(), late.attempt());
    assertThat(files("data").size()).isZero();
  }

  @Test
  void drainingLetsACommitThatHasBegunEnd() throws Exception {
    reopen(
        (kind, step) -> {
          if (step == UnitStep.STAGED) {
            bench.attempts.drain();
          }
        });
    bench.wal.seal(A, 1, 0, 10);
    RunUnit unit = publish(Kind.MERGE_WAL, merge(Map.of(A, range(1, 1))));

    assertThat(published(unit).versions()).containsExactly(2L);
    assertThat(bench.reports.all(UnitDeclined.class)).isEmpty();
    assertThat(bench.rows()).isEqualTo(10);
  }

  @Test
  void aUnitThatDoesNotFitIsGivenBackAtOnceAndReleasedMemoryIsFree() throws Exception {
    bench.wal.seal(A, 1, 0, 10);
    RunUnit unit =
        bench.order(Kind.MERGE_WAL, Mode.OUTSIDE, merge(Map.of(A, range(1, 1))), Bench.BYTES - 100);
    bench.reports.await(PreparationReady.class);

    RunUnit tooBig = bench.order(Kind.OBSERVE, Mode.OUTSIDE, new Observe(), 101);
    assertThat(awaitDeclined(tooBig).code()).isEqualTo(FailureCode.NO_MEMORY.name());
    bench.awaitReleased(bench.order(Kind.OBSERVE, Mode.OUTSIDE, new Observe(), 100));

    publish(unit);
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
    assertThat(files("data").size()).isZero();
  }

  @Test
  void noOrderWaitsForTheAnswerToAnother() throws Exception {
    bench.wal.seal(A, 1, 0, 10);
    RunUnit unit = prepare(Kind.MERGE_WAL, merge(Map.of(A, range(1, 1))));
    CountDownLatch brokersAreBack = new CountDownLatch(1);
    bench.reports.refuse(
        event -> {
          if (event instanceof UnitFailed || event instanceof UnitDeclined) {
            awaitUninterruptibly(brokersAreBack);
          }
          return false;
        });

    RunUnit tooBig = order(() -> bench.order(Kind.OBSERVE, Mode.OUTSIDE, new Observe(), TOO_BIG));
    order(
        () -> {
          bench.attempts.cancel(
              new CancelUnit(unit.attempt(), Require.MAX_NUMBER, "CANCELLED", "not wanted"));
          return unit;
        });
    bench.awaitReleased(order(() -> bench.order(Kind.OBSERVE, Mode.OUTSIDE, new Observe())));
    assertThat(bench.attempts.awaitEnd(Deadline.after(Duration.ofMillis(1)))).isFalse();

    brokersAreBack.countDown();
    assertThat(bench.reports.await(UnitFailed.class).attempt()).isEqualTo(unit.attempt());
    awaitDeclined(tooBig);
    assertThat(bench.attempts.awaitEnd(Deadline.after(Duration.ofSeconds(30)))).isTrue();
  }

  private static RunUnit order(Supplier<RunUnit> order) {
    return assertTimeoutPreemptively(Duration.ofSeconds(20), order::get);
  }

  private static void awaitUninterruptibly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void anAnswerThatIsNotTakenEndsNothingElse() throws Exception {
    bench.reports.refuse(UnitDeclined.class::isInstance);
    bench.order(Kind.OBSERVE, Mode.OUTSIDE, new Observe(), TOO_BIG);

    bench.awaitReleased(bench.order(Kind.OBSERVE, Mode.OUTSIDE, new Observe()));
    assertThat(bench.attempts.awaitEnd(Deadline.after(Duration.ofSeconds(30)))).isTrue();
  }

  private UnitDeclined awaitDeclined(RunUnit unit) {
    return bench.reports.await(
        UnitDeclined.class, declined -> declined.attempt().equals(unit.attempt()));
  }

  /** Of each kind that writes files: what a refused attempt wrote goes, and nothing else. */
  @ParameterizedTest
  @EnumSource(
      value = Kind.class,
      names = {"MERGE_WAL", "COMPACT", "INDEX"})
  void twentyRefusedPublishesInARowLeaveNothing(Kind kind) throws Exception {
    mergeSome(1, 2);
    SortedMap<String, Long> before = files();
    for (int i = 0; i < 20; i++) {
      RunUnit unit =
          prepare(
              kind,
              switch (kind) {
                case COMPACT -> compact();
                case INDEX -> index();
                default -> merge(Map.of(A, range(1, 1)));
              });
      if (kind != Kind.MERGE_WAL) {
        // A merge of what is merged is refused as it is.
        spoilOneOf(unit, before);
      }
      publish(unit);
    }

    assertThat(bench.reports.all(PublishRefused.class))
        .hasSize(20)
        .allMatch(refused -> refused.code().equals("STALE_PREPARATION"));
    assertThat(files()).isEqualTo(before);
  }

  private void spoilOneOf(RunUnit unit, SortedMap<String, Long> before) throws Exception {
    String written =
        files().keySet().stream()
            .filter(file -> !before.containsKey(file) && !file.startsWith("_prepared"))
            .findFirst()
            .orElseThrow(() -> new AssertionError("nothing was written by " + unit));
    write(written, "spoiled");
  }

  private static boolean isOf(UnitClaimed claimed, RunUnit unit) {
    return claimed.attempt().equals(unit.attempt());
  }
}
