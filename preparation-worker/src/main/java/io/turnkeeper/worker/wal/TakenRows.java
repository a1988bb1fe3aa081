package io.turnkeeper.worker.wal;

import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VectorSchemaRoot;

/** Drops the rows of a batch that are not taken. */
final class TakenRows {
  private TakenRows() {}

  /**
   * Keeps the taken rows of {@code root}.
   *
   * @param first the position of the batch's first row in its stream
   */
  static void keep(VectorSchemaRoot root, RowChoice choice, long first) {
    List<Integer> taken = new ArrayList<>();
    for (int row = 0; row < root.getRowCount(); row++) {
      if (choice.takes(first + row)) {
        taken.add(row);
      }
    }
    if (taken.size() == root.getRowCount()) {
      return;
    }
    for (FieldVector vector : root.getFieldVectors()) {
      keep(vector, taken);
    }
    root.setRowCount(taken.size());
  }

  private static void keep(FieldVector vector, List<Integer> taken) {
    try (FieldVector kept = vector.getField().createVector(vector.getAllocator())) {
      kept.allocateNew();
      for (int i = 0; i < taken.size(); i++) {
        kept.copyFromSafe(taken.get(i), i, vector);
      }
      kept.setValueCount(taken.size());
      kept.makeTransferPair(vector).transfer();
    }
  }
}
