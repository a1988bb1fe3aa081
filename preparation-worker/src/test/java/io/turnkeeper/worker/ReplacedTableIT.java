package io.turnkeeper.worker;

import static org.assertj.core.api.Assertions.assertThat;

import io.turnkeeper.core.FailureCode;
import io.turnkeeper.core.Kind;
import io.turnkeeper.core.table.Assignment.RunUnit;
import io.turnkeeper.core.table.Mode;
import io.turnkeeper.core.table.PublishEvent.UnitFailed;
import io.turnkeeper.core.table.PublishEvent.UnitPublished;
import io.turnkeeper.core.table.WorkSpec.Observe;
import io.turnkeeper.core.table.WorkSpec.Repair;
import io.turnkeeper.worker.wal.Generations;
import java.nio.file.Files;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import org.junit.jupiter.api.Test;
import org.lance.Dataset;
import org.lance.WriteParams;

/** Another table lies where the table was: nothing is committed to it and nothing deleted there. */
class ReplacedTableIT extends BenchTestCase {
  @Test
  void aTableThatWasMadeAnewIsNotTheOneForAnyKind() throws Exception {
    mergeSome(1, 2);
    bench.wal.seal(A, 3, 30, 10);
    RunUnit prepared = prepare(Kind.INDEX, index());
    RunUnit late = prepare(Kind.MERGE_WAL, merge(Map.of(A, range(3, 3))));
    Files.move(root(), dir.resolve("away"));
    Dataset.write()
        .allocator(bench.allocator)
        .schema(Generations.SCHEMA)
        .uri(root().toString())
        .mode(WriteParams.WriteMode.CREATE)
        .execute()
        .close();
    SortedMap<String, Long> before = files();

    for (RunUnit unit : List.of(prepared, late)) {
      bench.grant(unit);
      bench.awaitReleased(unit);
      missesItsVersion(unit, "PUBLISH");
    }
    for (Kind kind : List.of(Kind.MERGE_WAL, Kind.INDEX, Kind.COMPACT, Kind.REPAIR)) {
      RunUnit unit =
          bench.order(
              kind,
              Mode.INSIDE,
              switch (kind) {
                case COMPACT -> compact();
                case INDEX -> index();
                case REPAIR -> new Repair();
                default -> merge(Map.of(A, range(3, 3)));
              });
      bench.grant(unit);
      bench.awaitReleased(unit);
      missesItsVersion(unit, "PREPARE");
    }
    missesItsVersion(retire(1), "PREPARE");
    RunUnit look = bench.order(Kind.OBSERVE, Mode.OUTSIDE, new Observe());
    bench.awaitReleased(look);
    missesItsVersion(look, "PREPARE");
    assertThat(files()).isEqualTo(before);
    assertThat(bench.reports.all(UnitPublished.class)).hasSize(2);
  }

  private void missesItsVersion(RunUnit unit, String phase) {
    UnitFailed failed = failure(unit);
    assertThat(failed.code()).isEqualTo(FailureCode.MISSING_FILE.name());
    assertThat(failed.phase()).isEqualTo(phase);
    assertThat(failed.message()).startsWith("expected version 3 of the table at " + root());
  }

  private UnitFailed failure(RunUnit unit) {
    return bench.reports.all(UnitFailed.class).stream()
        .filter(failed -> failed.attempt().equals(unit.attempt()))
        .findFirst()
        .orElseThrow(() -> new AssertionError(unit + " did not fail: " + bench.reports.names()));
  }
}
