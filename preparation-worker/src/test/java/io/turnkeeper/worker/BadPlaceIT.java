package io.turnkeeper.worker;

import static org.assertj.core.api.Assertions.assertThat;

import io.turnkeeper.core.FailureCode;
import io.turnkeeper.core.Kind;
import io.turnkeeper.core.table.Assignment.RunUnit;
import io.turnkeeper.core.table.Mode;
import io.turnkeeper.core.table.PublishEvent.UnitFailed;
import io.turnkeeper.core.table.PublishEvent.UnitPublished;
import io.turnkeeper.core.table.WorkSpec;
import io.turnkeeper.core.table.WorkSpec.Observe;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * Where the table lies is full, read-only or not there: each unit says so by the right code and
 * leaves nothing, and once that is over the same rows are merged once.
 */
class BadPlaceIT extends BenchTestCase {
  /** All rows, read from their files. */
  private static final String READ = "n >= 0";

  private static final long DISK_BYTES = 4L << 20;

  private Mount disk() throws Exception {
    bench.close();
    Path directory = dir.resolve("disk");
    Mount mount = Mount.ofBytes(directory, DISK_BYTES);
    bench = new Bench(etcd, children, Bench.TABLE, directory + "/", StepListener.NONE, INDEX);
    return mount;
  }

  @Test
  void aFullDiskFailsWhatIsPreparedAndLeavesNothing() throws Exception {
    try (Mount disk = disk()) {
      bench.wal.seal(A, 1, 0, 10);
      bench.wal.seal(A, 2, 10, 10);
      publish(Kind.MERGE_WAL, merge(Map.of(A, range(1, 1))));
      List<String> before = List.copyOf(files().keySet());

      disk.fill();
      failsBeforeItsTurn(Kind.MERGE_WAL, merge(Map.of(A, range(2, 2))), FailureCode.IO, "No space");
      failsBeforeItsTurn(Kind.INDEX, index(), FailureCode.IO, "No space");
      assertThat(files().keySet()).containsExactlyElementsOf(before);
      disk.empty();

      goesOn();
      bench.close();
    }
  }

  @Test
  void aDiskThatIsFullInTheTurnCommitsNothingAndLeavesNothing() throws Exception {
    try (Mount disk = disk()) {
      bench.wal.seal(A, 1, 0, 10);
      bench.wal.seal(A, 2, 10, 10);
      publish(Kind.MERGE_WAL, merge(Map.of(A, range(1, 1))));
      RunUnit unit = prepare(Kind.MERGE_WAL, merge(Map.of(A, range(2, 2))));

      disk.fill();
      failsInItsTurn(unit, FailureCode.IO, "No space");
      disk.empty();
      assertThat(files("data")).hasSize(1);
      assertThat(files("_prepared")).isEmpty();

      goesOn();
      bench.close();
    }
  }

  @Test
  void aPlaceThatIsReadOnlyIsSaidToBe() throws Exception {
    bench.wal.seal(A, 1, 0, 10);
    bench.wal.seal(A, 2, 10, 10);
    publish(Kind.MERGE_WAL, merge(Map.of(A, range(1, 1))));
    List<String> before = List.copyOf(files().keySet());
    try (Mount place = Mount.over(root())) {
      place.readOnly(true);
      failsBeforeItsTurn(
          Kind.MERGE_WAL,
          merge(Map.of(A, range(2, 2))),
          FailureCode.PERMISSION_DENIED,
          "Read-only");
      place.readOnly(false);
      assertThat(files().keySet()).containsExactlyElementsOf(before);

      RunUnit unit = prepare(Kind.MERGE_WAL, merge(Map.of(A, range(2, 2))));
      place.readOnly(true);
      failsInItsTurn(unit, FailureCode.PERMISSION_DENIED, "Read-only");
    }
    // What could not be deleted then is a retirement's to find.
    goesOn();
  }

  @Test
  void aTableThatIsMovedAwayIsSaidToBeGoneAndNothingIsPutInItsPlace() throws Exception {
    bench.wal.seal(A, 1, 0, 10);
    bench.wal.seal(A, 2, 10, 10);
    publish(Kind.MERGE_WAL, merge(Map.of(A, range(1, 1))));
    RunUnit prepared = prepare(Kind.INDEX, index());
    Path away = dir.resolve("away");
    Files.move(root(), away);

    failsInItsTurn(prepared, FailureCode.NO_SUCH_TABLE, root().toString());
    for (Kind kind : List.of(Kind.MERGE_WAL, Kind.INDEX, Kind.COMPACT)) {
      failsBeforeItsTurn(
          kind,
          switch (kind) {
            case COMPACT -> compact();
            case INDEX -> index();
            default -> merge(Map.of(A, range(2, 2)));
          },
          FailureCode.NO_SUCH_TABLE,
          root().toString());
    }
    RunUnit look = bench.order(Kind.OBSERVE, Mode.OUTSIDE, new Observe());
    bench.awaitReleased(look);
    assertThat(failure(look).code()).isEqualTo(FailureCode.NO_SUCH_TABLE.name());
    RunUnit retirement = retire(1);
    assertThat(failure(retirement).code()).isEqualTo(FailureCode.NO_SUCH_TABLE.name());
    assertThat(root()).doesNotExist();

    Files.createDirectory(root());
    failsBeforeItsTurn(Kind.INDEX, index(), FailureCode.NO_SUCH_TABLE, root().toString());
    assertThat(root()).as("where a table may be mounted").isEmptyDirectory();
    Files.delete(root());
    Files.move(away, root());
    goesOn();
  }

  /** The same rows are merged, once, and the index is built. */
  private void goesOn() throws Exception {
    publish(Kind.MERGE_WAL, merge(Map.of(A, range(2, 2))));
    publish(Kind.INDEX, index());
    assertThat(bench.rows(READ)).isEqualTo(20);
    assertThat(bench.rows("id = 'k15'")).isEqualTo(1);
    assertThat(bench.reports.all(UnitPublished.class)).hasSize(3);
    assertThat(observe().missingFiles()).isZero();
    assertThat(observed().indexes()).singleElement().matches(index -> !index.damaged());
  }

  private void failsBeforeItsTurn(Kind kind, WorkSpec spec, FailureCode code, String reason)
      throws Exception {
    RunUnit unit = bench.order(kind, Mode.OUTSIDE, spec);
    bench.awaitReleased(unit);
    fails(unit, "PREPARE", code, reason);
  }

  private void failsInItsTurn(RunUnit unit, FailureCode code, String reason) {
    bench.grant(unit);
    bench.awaitReleased(unit);
    fails(unit, "PUBLISH", code, reason);
  }

  private void fails(RunUnit unit, String phase, FailureCode code, String reason) {
    UnitFailed failed = failure(unit);
    assertThat(failed.code()).as(failed.message()).isEqualTo(code.name());
    assertThat(failed.phase()).isEqualTo(phase);
    assertThat(failed.message()).contains(reason);
  }

  private UnitFailed failure(RunUnit unit) {
    return bench.reports.all(UnitFailed.class).stream()
        .filter(failed -> failed.attempt().equals(unit.attempt()))
        .findFirst()
        .orElseThrow(() -> new AssertionError(unit + " did not fail: " + bench.reports.names()));
  }
}
