package io.turnkeeper.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;

import io.turnkeeper.core.Kind;
import io.turnkeeper.core.table.Assignment.RunUnit;
import io.turnkeeper.core.table.CheckpointEvent.PreparationReady;
import io.turnkeeper.core.table.PublishEvent.PublishRefused;
import io.turnkeeper.core.table.PublishEvent.UnitFailed;
import io.turnkeeper.worker.authority.FullEtcd;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** A real etcd runs out of space: what was prepared is published when there is space again. */
@SuppressWarnings("NullAway.Init")
class NoSpaceIT extends BenchTestCase {
  private static FullEtcd own;

  @BeforeAll
  static void startEtcd() throws Exception {
    own = new FullEtcd();
  }

  @AfterAll
  static void endEtcd() {
    own.close();
  }

  @Test
  void aTurnThatCannotBeTakenForWantOfSpaceKeepsThePreparation() throws Exception {
    useOwnEtcd(StepListener.NONE);
    bench.wal.seal(A, 1, 0, 10);
    RunUnit unit = prepare(Kind.MERGE_WAL, merge(Map.of(A, range(1, 1))));
    own.fill();
    bench.grant(unit, 1);

    refusedAndPublishedLater(unit);
  }

  @Test
  void aCommitThatIsRefusedForWantOfSpaceKeepsThePreparation() throws Exception {
    AtomicBoolean filled = new AtomicBoolean();
    useOwnEtcd(
        (kind, step) -> {
          if (step == UnitStep.STAGED && filled.compareAndSet(false, true)) {
            fill();
          }
        });
    bench.wal.seal(A, 1, 0, 10);
    RunUnit unit = prepare(Kind.MERGE_WAL, merge(Map.of(A, range(1, 1))));
    bench.grant(unit, 1);

    refusedAndPublishedLater(unit);
    assertThat(filled).isTrue();
  }

  private void refusedAndPublishedLater(RunUnit unit) throws Exception {
    assertThat(bench.reports.await(PublishRefused.class))
        .returns("AUTHORITY_UNAVAILABLE", PublishRefused::code)
        .returns(1L, PublishRefused::turn)
        .extracting(PublishRefused::message, STRING)
        .contains("database space exceeded");
    assertThat(bench.head().version()).isEqualTo(1);

    own.makeSpace();
    bench.grant(unit, 2);
    published(unit);
    bench.awaitReleased(unit);
    assertThat(bench.reports.all(PreparationReady.class)).hasSize(1);
    assertThat(bench.reports.all(UnitFailed.class)).isEmpty();
    assertThat(bench.rows()).isEqualTo(10);
    assertThat(files("_fence")).as("one manifest for each version").hasSize(1);
  }

  private void fill() {
    try {
      own.fill();
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  private void useOwnEtcd(StepListener steps) throws Exception {
    bench.close();
    bench = new Bench(own.process(), children, Bench.TABLE, dir + "/own/", steps, INDEX);
  }
}
