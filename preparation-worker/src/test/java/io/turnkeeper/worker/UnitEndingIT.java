package io.turnkeeper.worker;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.turnkeeper.authority.Deadline;
import io.turnkeeper.core.Kind;
import io.turnkeeper.core.Require;
import io.turnkeeper.core.table.Assignment.CancelUnit;
import io.turnkeeper.core.table.Assignment.RunUnit;
import io.turnkeeper.core.table.CheckpointEvent.PreparationReady;
import io.turnkeeper.core.table.ClaimEvent.UnitClaimed;
import io.turnkeeper.core.table.Mode;
import io.turnkeeper.core.table.PublishEvent.BadGeneration;
import io.turnkeeper.core.table.PublishEvent.UnitFailed;
import io.turnkeeper.worker.wal.Generations;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Attempts that fail, are cancelled or cannot tell their facts, and what they leave. */
class UnitEndingIT extends BenchTestCase {
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
  void aFactThatCannotBeToldStopsTheAttempt() throws Exception {
    bench.wal.seal(A, 1, 0, 10);
    bench.reports.refuse(event -> event instanceof PreparationReady);
    RunUnit unit = bench.order(Kind.MERGE_WAL, Mode.OUTSIDE, merge(Map.of(A, range(1, 1))));
    bench.reports.await(UnitClaimed.class, claimed -> isOf(claimed, unit));

    assertThat(bench.attempts.awaitEnd(Deadline.after(Duration.ofSeconds(30)))).isTrue();
    assertThat(files("data").size()).isZero();
  }

  private static boolean isOf(UnitClaimed claimed, RunUnit unit) {
    return claimed.attempt().equals(unit.attempt());
  }
}
