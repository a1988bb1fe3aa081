package io.turnkeeper.worker;

import static org.assertj.core.api.Assertions.assertThat;

import io.turnkeeper.core.Kind;
import io.turnkeeper.core.table.Assignment.RunUnit;
import io.turnkeeper.core.table.DemandEvent.IndexObserved;
import io.turnkeeper.core.table.PublishEvent.UnitFailed;
import io.turnkeeper.core.table.PublishEvent.UnitNoOp;
import io.turnkeeper.core.table.PublishEvent.UnitPublished;
import io.turnkeeper.core.table.WorkSpec.Repair;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.lance.Dataset;

/** Tables that lost files, and what a repair makes of them. */
class RepairIT extends BenchTestCase {
  /** Three fragments of 10, 20 and 30 rows. */
  @BeforeEach
  void threeMerges() throws Exception {
    for (int generation = 1; generation <= 3; generation++) {
      bench.wal.seal(A, generation, generation * 10, 10 * generation);
      publish(Kind.MERGE_WAL, merge(Map.of(A, range(generation, generation))));
    }
  }

  @Test
  void aFragmentWhoseFileIsGoneIsDroppedAndItsRowsAreTold() throws Exception {
    Path lost = dataFileOf(1);
    Files.delete(lost);
    assertThat(observe().missingFiles()).isEqualTo(1);

    RunUnit repair = inside(Kind.REPAIR, new Repair());

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
  void aLostFileIsSeenAlsoInATableWithAnIndex() throws Exception {
    publish(Kind.INDEX, index());
    Files.delete(dataFileOf(1));

    assertThat(observe().missingFiles()).isEqualTo(1);
    assertThat(bench.reports.all(UnitFailed.class)).isEmpty();
    inside(Kind.REPAIR, new Repair());
    assertThat(observe().missingFiles()).isZero();
    assertThat(bench.rows("id = 'k35'")).isEqualTo(1);
  }

  @Test
  void anIndexWhoseFilesAreGoneIsSeenAndBuiltAnew() throws Exception {
    publish(Kind.INDEX, index());
    for (String file : files("_indices")) {
      Files.delete(root().resolve("_indices").resolve(file));
    }

    assertThat(observe().indexes()).extracting(IndexObserved::damaged).containsExactly(true);
    assertThat(bench.reports.all(UnitFailed.class)).isEmpty();
    publish(Kind.INDEX, index());
    assertThat(observe().indexes()).extracting(IndexObserved::damaged).containsExactly(false);
    assertThat(bench.rows("id = 'k35'")).isEqualTo(2);
  }

  @Test
  void aFileThatWasCutIsLost() throws Exception {
    Files.write(dataFileOf(2), new byte[7]);

    UnitPublished published = published(inside(Kind.REPAIR, new Repair()));

    assertThat(published.rows()).isEqualTo(30);
    assertThat(readableRows()).isEqualTo(30);
  }

  @Test
  void aRepairThatFindsNothingIsANoOp() throws Exception {
    inside(Kind.REPAIR, new Repair());

    assertThat(bench.reports.await(UnitNoOp.class).version()).isEqualTo(4);
    assertThat(bench.head().version()).isEqualTo(4);
    assertThat(bench.rows()).isEqualTo(60);
  }

  @Test
  void storageThatIsNotThereLosesNothing() throws Exception {
    Path data = root().resolve("data");
    Path away = data.resolveSibling("away");
    Files.move(data, away);

    inside(Kind.REPAIR, new Repair());

    assertThat(bench.reports.await(UnitFailed.class).code()).isEqualTo("MISSING_FILE");
    Files.move(away, data);
    assertThat(readableRows()).isEqualTo(60);
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
    Path data = root().resolve("data");
    try (Dataset table = bench.open();
        Stream<String> names =
            table.getFragments().stream()
                .filter(f -> f.getId() == fragment)
                .map(f -> f.metadata().getFiles().get(0).getPath())) {
      return data.resolve(names.findFirst().orElseThrow());
    }
  }
}
