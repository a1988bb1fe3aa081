package io.turnkeeper.worker.trial;

import io.turnkeeper.events.wal.WalWriter;
import java.io.IOException;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.Schema;

/** The rows of a trial: numbers, each of which is written once. */
final class TrialRows {
  static final String COLUMN = "n";
  static final Schema SCHEMA =
      new Schema(List.of(Field.nullable(COLUMN, new ArrowType.Int(64, true))));

  private TrialRows() {}

  /** The numbers from {@code first} on. */
  static VectorSchemaRoot of(int first, int rows, BufferAllocator allocator) {
    VectorSchemaRoot root = VectorSchemaRoot.create(SCHEMA, allocator);
    BigIntVector numbers = (BigIntVector) root.getVector(COLUMN);
    for (int i = 0; i < rows; i++) {
      numbers.setSafe(i, first + i);
    }
    root.setRowCount(rows);
    return root;
  }

  static void append(WalWriter writer, int first, int rows, BufferAllocator allocator)
      throws IOException {
    try (VectorSchemaRoot batch = of(first, rows, allocator)) {
      writer.append(batch);
    }
  }
}
