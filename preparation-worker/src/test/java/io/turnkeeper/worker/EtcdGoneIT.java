package io.turnkeeper.worker;

import static org.assertj.core.api.Assertions.assertThat;

import io.turnkeeper.core.Kind;
import io.turnkeeper.core.table.Assignment.RunUnit;
import io.turnkeeper.core.table.Mode;
import io.turnkeeper.core.table.PublishEvent.HeadObserved;
import io.turnkeeper.core.table.PublishEvent.PublishRefused;
import io.turnkeeper.core.table.PublishEvent.UnitFailed;
import io.turnkeeper.core.table.WorkSpec.Observe;
import io.turnkeeper.worker.authority.EtcdProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The authority goes away in the middle of a publication: no row is lost or doubled. */
@SuppressWarnings("NullAway.Init")
class EtcdGoneIT extends BenchTestCase {
  /** Longer than a call's patience; {@code 60000} for a whole minute. */
  private static final long GONE_MILLIS = Long.getLong("turnkeeper.etcd.gone.millis", 3_000);

  private EtcdProcess own;

  @AfterEach
  void endEtcd() {
    own.close();
  }

  @ParameterizedTest
  @EnumSource(
      value = UnitStep.class,
      names = {"TURN_TAKEN", "STAGED", "COMMITTED"})
  void anAuthorityThatFreezesDuringAPublicationLosesAndDoublesNothing(UnitStep step)
      throws Exception {
    AtomicBoolean frozen = new AtomicBoolean();
    startOwnEtcd(
        (kind, reached) -> {
          if (kind == Kind.MERGE_WAL && reached == step && frozen.compareAndSet(false, true)) {
            freezeForAWhile();
          }
        });
    bench.wal.seal(A, 1, 0, 10);
    RunUnit unit = prepare(Kind.MERGE_WAL, merge(Map.of(A, range(1, 1))));
    bench.grant(unit, 1);
    bench.reports.await(
        Object.class,
        event ->
            (event instanceof HeadObserved head && head.version() == 2)
                || event instanceof PublishRefused
                || event instanceof UnitFailed);
    assertThat(frozen).isTrue();

    // Whatever it was told, the head is the truth, and a higher turn finds it out.
    RunUnit look = bench.order(Kind.OBSERVE, Mode.INSIDE, new Observe());
    bench.grant(look, 10);
    bench.awaitReleased(look);
    boolean merged = bench.head().mergedThrough().containsKey(A);
    assertThat(bench.rows()).isEqualTo(merged ? 10 : 0);
    assertThat(bench.reports.all(HeadObserved.class))
        .last()
        .returns(merged ? 2L : 1L, HeadObserved::version);
    if (!merged) {
      mergeSome(1, 1);
    }
    mergeSome(2, 2);
    assertThat(bench.rows()).isEqualTo(20);
    assertThat(bench.head().mergedThrough()).containsEntry(A, 2L);
  }

  private void freezeForAWhile() {
    try {
      own.freeze();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
    CompletableFuture.delayedExecutor(GONE_MILLIS, TimeUnit.MILLISECONDS)
        .execute(
            () -> {
              try {
                own.thaw();
              } catch (IOException e) {
                throw new UncheckedIOException(e);
              } catch (InterruptedException e) {
                throw new IllegalStateException(e);
              }
            });
  }

  private void startOwnEtcd(StepListener steps) throws Exception {
    bench.close();
    own = EtcdProcess.start();
    bench = new Bench(own, children, Bench.TABLE, place() + "own/", steps, INDEX);
  }
}
