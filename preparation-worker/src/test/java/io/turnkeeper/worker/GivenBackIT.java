package io.turnkeeper.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import io.turnkeeper.authority.Deadline;
import io.turnkeeper.core.FailureCode;
import io.turnkeeper.core.Kind;
import io.turnkeeper.core.Require;
import io.turnkeeper.core.table.Assignment.CancelUnit;
import io.turnkeeper.core.table.Assignment.RunUnit;
import io.turnkeeper.core.table.CheckpointEvent.PreparationReady;
import io.turnkeeper.core.table.ClaimEvent.UnitDeclined;
import io.turnkeeper.core.table.Mode;
import io.turnkeeper.core.table.PublishEvent.UnitFailed;
import io.turnkeeper.core.table.WorkSpec.Observe;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** Attempts that are given back, and answers that wait for the brokers. */
class GivenBackIT extends BenchTestCase {
  private static final long TOO_BIG = Bench.BYTES + 1;

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
}
