package io.turnkeeper.local.verify;

import io.turnkeeper.events.storage.Storage;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.ipc.ArrowReader;
import org.lance.Dataset;
import org.lance.ReadOptions;
import org.lance.Transaction;
import org.lance.Version;
import org.lance.ipc.LanceScanner;
import org.lance.ipc.ScanOptions;

/** A table as any plain reader sees it: opened by its place, without the authority. */
final class TableOnDisk implements AutoCloseable {
  private static final long BATCH_ROWS = 65_536;
  private static final int READAHEAD_BATCHES = 4;

  private final Dataset dataset;

  TableOnDisk(String uri, BufferAllocator allocator) throws IOException {
    this.dataset =
        Dataset.open()
            .allocator(allocator)
            .uri(uri)
            .readOptions(
                new ReadOptions.Builder().setStorageOptions(Storage.at(uri).lanceOptions()).build())
            .build();
  }

  long version() {
    return dataset.version();
  }

  /** Hands every row's key to {@code found}. */
  void scanIds(Consumer<byte[]> found) throws IOException {
    read(
        new ScanOptions.Builder()
            .columns(List.of(RowId.COLUMN))
            .batchSize(BATCH_ROWS)
            .batchReadahead(READAHEAD_BATCHES)
            .build(),
        root -> {
          VarCharVector ids = (VarCharVector) root.getVector(RowId.COLUMN);
          for (int row = 0; row < root.getRowCount(); row++) {
            found.accept(ids.get(row));
          }
        });
  }

  /** The rows that {@code filter} selects, as text, by key; a key found twice keeps both rows. */
  Map<String, List<String>> rows(String filter, boolean useIndex) throws IOException {
    Map<String, List<String>> rows = new HashMap<>();
    read(
        new ScanOptions.Builder()
            .filter(filter)
            .batchSize(BATCH_ROWS)
            .batchReadahead(READAHEAD_BATCHES)
            .useScalarIndex(useIndex)
            .build(),
        root -> {
          for (int row = 0; row < root.getRowCount(); row++) {
            rows.computeIfAbsent(
                    String.valueOf(root.getVector(RowId.COLUMN).getObject(row)),
                    id -> new ArrayList<>())
                .add(text(root, row));
          }
        });
    return rows;
  }

  /** How Lance would answer {@code filter}. */
  String plan(String filter) throws IOException {
    StringBuilder plan = new StringBuilder();
    String sql = "EXPLAIN SELECT " + RowId.COLUMN + " FROM dataset WHERE " + filter;
    try (ArrowReader reader = dataset.sql(sql).intoBatchRecords()) {
      while (reader.loadNextBatch()) {
        VectorSchemaRoot root = reader.getVectorSchemaRoot();
        for (int row = 0; row < root.getRowCount(); row++) {
          plan.append(text(root, row)).append('\n');
        }
      }
    }
    return plan.toString();
  }

  /** The versions on disk, ascending. */
  List<Long> versions() {
    return dataset.listVersions().stream().map(Version::getId).sorted().toList();
  }

  /** What the transaction of a version says of itself; empty if the version has none. */
  Optional<Map<String, String>> transactionProperties(long version) {
    try (Dataset at = dataset.checkoutVersion(version)) {
      return at.readTransaction().flatMap(Transaction::transactionProperties);
    }
  }

  @Override
  public void close() {
    dataset.close();
  }

  @SuppressWarnings("try") // Closing a scanner declares Exception, which includes an interrupt.
  private void read(ScanOptions options, Consumer<VectorSchemaRoot> batch) throws IOException {
    try (LanceScanner scanner = dataset.newScan(options);
        ArrowReader reader = scanner.scanBatches()) {
      while (reader.loadNextBatch()) {
        batch.accept(reader.getVectorSchemaRoot());
      }
    } catch (IOException | RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new IOException("cannot close a scan of " + dataset.uri(), e);
    }
  }

  private static String text(VectorSchemaRoot root, int row) {
    StringBuilder text = new StringBuilder();
    for (FieldVector column : root.getFieldVectors()) {
      text.append(column.getName()).append('=').append(column.getObject(row)).append(' ');
    }
    return text.toString();
  }
}
