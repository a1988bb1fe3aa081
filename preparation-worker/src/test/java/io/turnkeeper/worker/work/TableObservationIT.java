package io.turnkeeper.worker.work;

import static org.assertj.core.api.Assertions.assertThat;

import io.turnkeeper.core.Kind;
import io.turnkeeper.core.table.DemandEvent.IndexObserved;
import io.turnkeeper.core.table.DemandEvent.TableObserved;
import io.turnkeeper.core.table.IndexSpec;
import io.turnkeeper.core.table.IndexType;
import io.turnkeeper.core.table.WorkSpec.BuildIndex;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.lance.Dataset;

class TableObservationIT extends LanceTestCase {
  private static final IndexSpec INDEX = new IndexSpec("by_id", "id", IndexType.BTREE);

  @Test
  void smallIsWhatACompactionWouldRewrite() throws Exception {
    table.append(0, 10, 3);
    table.append(30, 100, 1);
    table.append(130, 10, 1);

    TableObserved observed = observe(50);

    assertThat(observed.fragments()).isEqualTo(5);
    assertThat(observed.smallFragments()).isEqualTo(3);
    assertThat(observed.smallFragmentBytes()).isPositive().isLessThan(observed.bytes());
    assertThat(observed.rows()).isEqualTo(140);
    assertThat(observed.version()).isEqualTo(6);
  }

  @Test
  void aFragmentOfTheTargetsBytesIsNotSmallHoweverFewItsRows() throws Exception {
    table.append(0, 10, 3);
    long bytes = observe(50).smallFragmentBytes() / 3;

    assertThat(observe(50, bytes + 1).smallFragments()).isEqualTo(3);
    assertThat(observe(50, bytes).smallFragments()).isZero();
  }

  @Test
  void anIndexWhoseFilesAreGoneIsDamaged() throws Exception {
    table.append(0, 10, 2);
    table.publish(ready(new IndexWork(), Kind.INDEX, new BuildIndex(INDEX, List.of())));
    assertThat(observe(50).indexes()).extracting(IndexObserved::damaged).containsExactly(false);

    table.storage().deleteFolder("_indices/");

    assertThat(observe(50).indexes()).extracting(IndexObserved::damaged).containsExactly(true);
  }

  @Test
  void deletedRowsAndTheirFilesAreSeen() throws Exception {
    table.append(0, 10, 2);
    try (Dataset dataset = table.open()) {
      dataset.delete("n < 3");
    }

    TableObserved observed = observe(50);

    assertThat(observed.deletedRows()).isEqualTo(3);
    assertThat(observed.rows()).isEqualTo(17);
    assertThat(observed.missingFiles()).isZero();
    table.storage().deleteFolder("_deletions/");
    assertThat(observe(50).missingFiles()).isEqualTo(1);
  }

  @Test
  void filesThatAreGoneOrCutAreMissing() throws Exception {
    table.append(0, 10, 3);
    String first = table.files().first();
    String last = table.files().last();
    table.storage().delete(List.of(first));
    table.replace(last, new byte[7]);

    assertThat(observe(50).missingFiles()).isEqualTo(2);
  }

  private TableObserved observe(long targetRows) throws Exception {
    return observe(targetRows, 1 << 30);
  }

  private TableObserved observe(long targetRows, long targetBytes) throws Exception {
    try (Dataset dataset = table.open()) {
      return new TableObservation(targetRows, targetBytes)
          .of(dataset, LanceTable.ID, 1, table.uri(), Set.of(), 0);
    }
  }
}
