package io.turnkeeper.worker;

import static org.assertj.core.api.Assertions.assertThat;

import io.turnkeeper.core.Kind;
import io.turnkeeper.core.table.Assignment.RunUnit;
import io.turnkeeper.core.table.DemandEvent.IndexObserved;
import io.turnkeeper.core.table.PublishEvent.UnitFailed;
import io.turnkeeper.core.table.PublishEvent.UnitNoOp;
import io.turnkeeper.core.table.PublishEvent.UnitPublished;
import io.turnkeeper.core.table.WorkSpec.Repair;
import io.turnkeeper.events.storage.StoredFile;
import java.util.List;
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
    String lost = dataFileOf(1);
    storage().delete(List.of(lost));
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
      assertThat(transaction.operation().toString()).contains(lost);
    }
  }

  @Test
  void aLostFileIsSeenAlsoInATableWithAnIndex() throws Exception {
    publish(Kind.INDEX, index());
    storage().delete(List.of(dataFileOf(1)));

    assertThat(observe().missingFiles()).isEqualTo(1);
    assertThat(bench.reports.all(UnitFailed.class)).isEmpty();
    inside(Kind.REPAIR, new Repair());
    assertThat(observe().missingFiles()).isZero();
    assertThat(bench.rows("id = 'k35'")).isEqualTo(1);
  }

  @Test
  void anIndexWhoseFilesAreGoneIsSeenAndBuiltAnew() throws Exception {
    publish(Kind.INDEX, index());
    storage().delete(files("_indices").stream().map(file -> "_indices/" + file).toList());

    assertThat(observe().indexes()).extracting(IndexObserved::damaged).containsExactly(true);
    assertThat(bench.reports.all(UnitFailed.class)).isEmpty();
    publish(Kind.INDEX, index());
    assertThat(observe().indexes()).extracting(IndexObserved::damaged).containsExactly(false);
    assertThat(bench.rows("id = 'k35'")).isEqualTo(2);
  }

  @Test
  void aFileThatWasCutIsLost() throws Exception {
    write(dataFileOf(2), "7 bytes");

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
    move("data/", "away/");

    inside(Kind.REPAIR, new Repair());

    assertThat(bench.reports.await(UnitFailed.class).code()).isEqualTo("MISSING_FILE");
    move("away/", "data/");
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

  private void move(String from, String to) throws Exception {
    for (StoredFile file : storage().list(from).files()) {
      storage().copyNew(file.name(), to + file.baseName());
    }
    storage().deleteFolder(from);
  }

  private String dataFileOf(int fragment) {
    try (Dataset table = bench.open();
        Stream<String> names =
            table.getFragments().stream()
                .filter(f -> f.getId() == fragment)
                .map(f -> f.metadata().getFiles().get(0).getPath())) {
      return "data/" + names.findFirst().orElseThrow();
    }
  }
}
