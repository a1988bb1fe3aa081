package io.turnkeeper.worker;

import static org.assertj.core.api.Assertions.assertThat;

import io.turnkeeper.core.Kind;
import io.turnkeeper.core.ShardId;
import io.turnkeeper.core.table.Assignment.RunUnit;
import io.turnkeeper.core.table.CheckpointEvent.PreparationReady;
import io.turnkeeper.core.table.DemandEvent.TableObserved;
import io.turnkeeper.core.table.MergeMode;
import io.turnkeeper.core.table.Mode;
import io.turnkeeper.core.table.PublishEvent.UnitFailed;
import io.turnkeeper.core.table.PublishEvent.UnitNoOp;
import io.turnkeeper.core.table.PublishEvent.UnitPublished;
import io.turnkeeper.core.table.WorkSpec.GenerationRange;
import io.turnkeeper.core.table.WorkSpec.MergeWal;
import io.turnkeeper.core.table.WorkSpec.Observe;
import io.turnkeeper.core.table.WorkSpec.Repair;
import io.turnkeeper.worker.authority.EtcdProcess;
import io.turnkeeper.worker.child.Children;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lance.Dataset;

/** Tables that lost files, and what a repair makes of them. */
@SuppressWarnings("NullAway.Init")
class RepairIT {
  private static final ShardId A = new ShardId("a");

  private static EtcdProcess etcd;
  private static Children children;

  @TempDir Path dir;
  private Bench bench;

  @BeforeAll
  static void startEtcd() throws Exception {
    etcd = EtcdProcess.start();
    children = new Children(1);
  }

  @AfterAll
  static void stopEtcd() {
    children.close();
    etcd.close();
  }

  @BeforeEach
  void threeFragments() throws Exception {
    bench = new Bench(etcd, children, dir, StepListener.NONE);
    for (int generation = 1; generation <= 3; generation++) {
      bench.wal.seal(A, generation, generation * 10, 10 * generation);
      RunUnit unit =
          bench.order(
              Kind.MERGE_WAL,
              Mode.OUTSIDE,
              new MergeWal(
                  new TreeMap<>(Map.of(A, new GenerationRange(generation, generation))),
                  new TreeMap<>(),
                  MergeMode.APPEND,
                  List.of()));
      bench.reports.await(PreparationReady.class, ready -> ready.attempt().equals(unit.attempt()));
      bench.grant(unit);
      bench.awaitReleased(unit);
    }
  }

  @AfterEach
  void close() throws Exception {
    bench.close();
  }

  @Test
  void aFragmentWhoseFileIsGoneIsDroppedAndItsRowsAreTold() throws Exception {
    Path lost = dataFileOf(1);
    Files.delete(lost);
    assertThat(observe().missingFiles()).isEqualTo(1);

    RunUnit repair = repair();

    UnitPublished published = published(repair);
    assertThat(published.rows()).isEqualTo(20);
    assertThat(published.files()).isEqualTo(1);
    assertThat(published.versions()).containsExactly(5L);
    assertThat(readableRows()).isEqualTo(40);
    assertThat(bench.head().mergedThrough()).containsEntry(A, 3L);
    assertThat(observe().missingFiles()).isZero();
    try (Dataset table = bench.open();
        var transaction = table.readTransaction().orElseThrow()) {
      assertThat(transaction.operation().toString()).contains(lost.getFileName().toString());
    }
  }

  @Test
  void aFileThatWasCutIsLost() throws Exception {
    Files.write(dataFileOf(2), new byte[7]);

    UnitPublished published = published(repair());

    assertThat(published.rows()).isEqualTo(30);
    assertThat(readableRows()).isEqualTo(30);
  }

  @Test
  void aRepairThatFindsNothingIsANoOp() throws Exception {
    repair();

    assertThat(bench.reports.await(UnitNoOp.class).version()).isEqualTo(4);
    assertThat(bench.head().version()).isEqualTo(4);
    assertThat(bench.rows()).isEqualTo(60);
  }

  @Test
  void storageThatIsNotThereLosesNothing() throws Exception {
    Path data = Path.of(bench.registered.uri()).resolve("data");
    Path away = data.resolveSibling("away");
    Files.move(data, away);

    repair();

    assertThat(bench.reports.await(UnitFailed.class).code()).isEqualTo("MISSING_FILE");
    Files.move(away, data);
    assertThat(readableRows()).isEqualTo(60);
  }

  private RunUnit repair() {
    RunUnit unit = bench.order(Kind.REPAIR, Mode.INSIDE, new Repair());
    bench.grant(unit);
    bench.awaitReleased(unit);
    return unit;
  }

  private UnitPublished published(RunUnit unit) {
    return bench.reports.await(
        UnitPublished.class, event -> event.attempt().equals(unit.attempt()));
  }

  private TableObserved observe() {
    bench.awaitReleased(bench.order(Kind.OBSERVE, Mode.OUTSIDE, new Observe()));
    List<TableObserved> all = bench.reports.all(TableObserved.class);
    return all.get(all.size() - 1);
  }

  /** The rows that a reader of every file finds. */
  @SuppressWarnings("try")
  private long readableRows() throws Exception {
    long rows = 0;
    try (Dataset table = bench.open();
        var scanner = table.newScan();
        var reader = scanner.scanBatches()) {
      while (reader.loadNextBatch()) {
        rows += reader.getVectorSchemaRoot().getRowCount();
      }
    }
    return rows;
  }

  private Path dataFileOf(int fragment) throws Exception {
    Path data = Path.of(bench.registered.uri()).resolve("data");
    try (Dataset table = bench.open();
        Stream<String> names =
            table.getFragments().stream()
                .filter(f -> f.getId() == fragment)
                .map(f -> f.metadata().getFiles().get(0).getPath())) {
      return data.resolve(names.findFirst().orElseThrow());
    }
  }
}
