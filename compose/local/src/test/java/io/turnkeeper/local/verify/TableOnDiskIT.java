package io.turnkeeper.local.verify;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.nio.file.Path;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.ipc.ArrowStreamReader;
import org.apache.arrow.vector.ipc.ArrowStreamWriter;
import org.apache.arrow.vector.types.pojo.Schema;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lance.Dataset;
import org.lance.WriteParams;
import org.lance.index.IndexOptions;
import org.lance.index.IndexParams;
import org.lance.index.IndexType;
import org.lance.index.scalar.BTreeIndexParams;

class TableOnDiskIT {
  private static final int ROWS = 20_000;

  @TempDir Path temp;

  @Test
  void countsKeysAndFindsTheIndexInThePlan() throws Exception {
    String uri = temp.resolve("t.lance").toString();
    try (BufferAllocator allocator = new RootAllocator()) {
      write(uri, allocator, 0, WriteParams.WriteMode.CREATE);
      write(uri, allocator, ROWS, WriteParams.WriteMode.APPEND);
      List<SealRecord.Sealed> record = List.of(new SealRecord.Sealed("a", 1, 2 * ROWS, 0));
      try (TableOnDisk table = new TableOnDisk(uri, allocator)) {
        assertThat(IndexCheck.ask(table, record, 300, "id").used()).isFalse();
      }
      index(uri, allocator);
      try (TableOnDisk table = new TableOnDisk(uri, allocator)) {
        KeyCount keys = new KeyCount(record);
        table.scanIds(keys::found);
        assertThat(keys.rowsInTable()).isEqualTo(2 * ROWS);
        assertThat(keys.missingKeys() + keys.duplicateKeys()).isZero();
        IndexCheck.Answer answer = IndexCheck.ask(table, record, 300, "id");
        assertThat(answer.plan()).contains("ScalarIndexQuery");
        assertThat(answer.used()).isTrue();
        assertThat(answer.agrees()).isTrue();
        assertThat(table.versions()).containsExactly(1L, 2L, 3L);
      }
    }
  }

  private static void index(String uri, BufferAllocator allocator) {
    try (Dataset dataset = Dataset.open().allocator(allocator).uri(uri).build()) {
      dataset.createIndex(
          IndexOptions.builder(
                  List.of("id"),
                  IndexType.BTREE,
                  IndexParams.builder()
                      .setScalarIndexParams(BTreeIndexParams.builder().build())
                      .build())
              .withIndexName("id")
              .replace(true)
              .build());
    }
  }

  private static void write(
      String uri, BufferAllocator allocator, int first, WriteParams.WriteMode mode)
      throws Exception {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (VectorSchemaRoot root =
            VectorSchemaRoot.create(new Schema(List.of(RowId.FIELD)), allocator);
        ArrowStreamWriter writer = new ArrowStreamWriter(root, null, bytes)) {
      VarCharVector ids = (VarCharVector) root.getVector("id");
      for (int i = 0; i < ROWS; i++) {
        ids.setSafe(i, RowId.bytes("a", first + i));
      }
      root.setRowCount(ROWS);
      writer.writeBatch();
      writer.end();
    }
    try (ArrowStreamReader reader =
            new ArrowStreamReader(new ByteArrayInputStream(bytes.toByteArray()), allocator);
        Dataset written =
            Dataset.write().allocator(allocator).reader(reader).uri(uri).mode(mode).execute()) {
      assertThat(written.version()).isPositive();
    }
  }
}
