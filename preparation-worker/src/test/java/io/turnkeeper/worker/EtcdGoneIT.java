package io.turnkeeper.worker;

import static org.assertj.core.api.Assertions.assertThat;

import io.turnkeeper.core.Kind;
import io.turnkeeper.core.table.Assignment.RunUnit;
import io.turnkeeper.core.table.Mode;
import io.turnkeeper.core.table.PublishEvent.HeadObserved;
import io.turnkeeper.core.table.PublishEvent.PublishRefused;
import io.turnkeeper.core.table.PublishEvent.UnitFailed;
import io.turnkeeper.core.table.PublishEvent.UnitPublished;
import io.turnkeeper.core.table.WorkSpec.Observe;
import io.turnkeeper.worker.authority.EtcdProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The authority goes away in the middle of a publication and stays away until the attempt has given
 * up: no row is lost or doubled, whatever it could find out.
 */
@SuppressWarnings("NullAway.Init")
class EtcdGoneIT extends BenchTestCase {
  private static final long PUBLISH_MILLIS = 3_000;

  /** How much longer than the attempt waits; with all faults, a minute. */
  private static final long AWAY_SECONDS = "all".equals(System.getProperty("faults")) ? 60 : 0;

  /** All rows, read from their files: a count without a filter is the manifest's. */
  private static final String READ = "n >= 0";

  private EtcdProcess own;

  @AfterEach
  void endEtcd() {
    own.close();
  }

  @ParameterizedTest
  @CsvSource({"PREPARED, AUTHORITY_UNAVAILABLE", "STAGED, OUTCOME_UNKNOWN", "COMMITTED, published"})
  void anAuthorityThatFreezesDuringAPublicationLosesAndDoublesNothing(UnitStep step, String told)
      throws Exception {
    AtomicBoolean frozen = new AtomicBoolean();
    startOwnEtcd(
        (kind, reached) -> {
          if (kind == Kind.MERGE_WAL && reached == step && frozen.compareAndSet(false, true)) {
            freeze();
          }
        });
    bench.wal.seal(A, 1, 10, 10);
    RunUnit unit = prepare(Kind.MERGE_WAL, merge(Map.of(A, range(1, 1))));
    bench.grant(unit, 1, PUBLISH_MILLIS);

    Object ending = bench.reports.await(Object.class, EtcdGoneIT::isEnding);
    assertThat(ending instanceof UnitFailed).isEqualTo(step == UnitStep.STAGED);
    assertThat(toldBy(ending)).isEqualTo(told);
    assertThat(frozen).isTrue();
    TimeUnit.SECONDS.sleep(AWAY_SECONDS);
    own.thaw();

    if (step != UnitStep.PREPARED) {
      bench.awaitReleased(unit);
    }
    assertThat(files("data")).as("what may be committed, or can be yet").hasSize(1);
    // Whatever it was told, the head is the truth, and a higher turn finds it out.
    RunUnit look = bench.order(Kind.OBSERVE, Mode.INSIDE, new Observe());
    bench.grant(look, 10);
    bench.awaitReleased(look);
    boolean merged = bench.head().mergedThrough().containsKey(A);
    assertThat(merged).isIn(step == UnitStep.COMMITTED, step != UnitStep.PREPARED);
    assertThat(bench.rows(READ)).isEqualTo(merged ? 10 : 0);
    assertThat(bench.reports.all(HeadObserved.class))
        .last()
        .returns(merged ? 2L : 1L, HeadObserved::version);
    if (!merged) {
      mergeSome(1, 1);
    }
    mergeSome(2, 2);
    assertThat(bench.rows(READ)).isEqualTo(20);
    assertThat(bench.head().mergedThrough()).containsEntry(A, 2L);
  }

  private static boolean isEnding(Object event) {
    return event instanceof UnitPublished
        || event instanceof PublishRefused
        || event instanceof UnitFailed;
  }

  private static String toldBy(Object ending) {
    if (ending instanceof PublishRefused refused) {
      return refused.code();
    }
    return ending instanceof UnitFailed failed ? failed.code() : "published";
  }

  private void freeze() {
    try {
      own.freeze();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private void startOwnEtcd(StepListener steps) throws Exception {
    bench.close();
    own = EtcdProcess.start();
    bench = new Bench(own, children, Bench.TABLE, place() + "own/", steps, INDEX);
  }
}
