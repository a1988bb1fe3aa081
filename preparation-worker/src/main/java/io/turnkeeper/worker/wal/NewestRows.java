package io.turnkeeper.worker.wal;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VectorLoader;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.ipc.message.ArrowRecordBatch;
import org.apache.arrow.vector.types.pojo.Schema;
import org.jspecify.annotations.Nullable;

/** Of all rows with the same key, the last one: what was written later replaces what was before. */
public final class NewestRows implements RowChoice {
  private final BitSet superseded;

  private NewestRows(BitSet superseded) {
    this.superseded = superseded;
  }

  /**
   * Reads the keys of {@code generations} in their order.
   *
   * @throws InvalidWalException if one cannot be decoded, or has a row without a key
   */
  public static NewestRows of(
      WalGenerations wal,
      List<GenerationFile> generations,
      Schema schema,
      List<String> keyColumns,
      BufferAllocator allocator)
      throws InvalidWalException, IOException {
    Map<List<Object>, Integer> newest = new HashMap<>();
    BitSet superseded = new BitSet();
    int row = 0;
    for (GenerationFile generation : generations) {
      try (GenerationBatches batches = wal.open(generation, schema, allocator);
          VectorSchemaRoot root = VectorSchemaRoot.create(schema, allocator)) {
        while (load(batches.next(), root)) {
          for (int i = 0; i < root.getRowCount(); i++) {
            Integer before = newest.put(key(generation, root, keyColumns, i), row);
            if (before != null) {
              superseded.set(before);
            }
            row = Math.addExact(row, 1);
          }
        }
      }
    }
    return new NewestRows(superseded);
  }

  private static boolean load(@Nullable ArrowRecordBatch batch, VectorSchemaRoot root) {
    if (batch == null) {
      return false;
    }
    try (batch) {
      new VectorLoader(root).load(batch);
    }
    return true;
  }

  private static List<Object> key(
      GenerationFile generation, VectorSchemaRoot root, List<String> columns, int row)
      throws InvalidWalException {
    List<Object> key = new ArrayList<>(columns.size());
    for (String column : columns) {
      FieldVector vector = root.getVector(column);
      Object value = vector.getObject(row);
      if (value == null) {
        // It would match nothing, and be inserted once more with every merge.
        throw new InvalidWalException(generation, "a row has no value in key column " + column);
      }
      key.add(value instanceof byte[] bytes ? ByteBuffer.wrap(bytes) : value);
    }
    return key;
  }

  @Override
  public boolean takes(long row) {
    return !superseded.get((int) row);
  }

  /** How many rows are not taken. */
  public long superseded() {
    return superseded.cardinality();
  }
}
