package io.turnkeeper.worker.work;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.arrow.memory.OutOfMemoryException;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.UInt8Vector;
import org.apache.arrow.vector.ipc.ArrowReader;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.jspecify.annotations.Nullable;
import org.lance.Dataset;
import org.lance.ipc.LanceScanner;
import org.lance.ipc.ScanOptions;
import org.lance.schema.LanceField;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Some keys of a column, and for each one that is probably not there, to be read with and without
 * the index. Only shorter texts and integers are sampled; an index on anything else passes.
 */
record SampledKeys(String column, List<String> literals) {
  private static final Logger LOGGER = LoggerFactory.getLogger(SampledKeys.class);
  private static final int KEYS = 32;

  /** Longer texts are left out: some of a MiB would make a filter that takes seconds to read. */
  private static final int MAX_TEXT = 256;

  static SampledKeys of(Dataset table, String column) throws Exception {
    LanceField field = ColumnIds.named(table, column);
    if (field == null || !isSampled(field.getType()) || table.countRows() == 0) {
      return new SampledKeys(column, List.of());
    }
    List<String> literals = new ArrayList<>();
    try (ArrowReader sample = table.sample(KEYS, List.of(column))) {
      while (sample.loadNextBatch()) {
        FieldVector values = sample.getVectorSchemaRoot().getVector(0);
        for (int i = 0; i < values.getValueCount(); i++) {
          addLiterals(literals, values.getObject(i));
        }
      }
    }
    return new SampledKeys(column, literals);
  }

  private static boolean isSampled(ArrowType type) {
    return type instanceof ArrowType.Utf8
        || type instanceof ArrowType.LargeUtf8
        || (type instanceof ArrowType.Int number && number.getIsSigned());
  }

  private static void addLiterals(List<String> literals, @Nullable Object value) {
    if (value instanceof Number number) {
      addWhole(literals, number.longValue());
    } else if (value != null && value.toString().length() <= MAX_TEXT) {
      String quoted = value.toString().replace("'", "''");
      literals.add("'" + quoted + "'");
      literals.add("'" + quoted + "~'");
    }
  }

  private static void addWhole(List<String> literals, long value) {
    // Lance reads the literal of the lowest number as a double.
    if (value != Long.MIN_VALUE) {
      literals.add(Long.toString(value));
    }
    literals.add(Long.toString(value / 2));
  }

  /** Whether the same rows are found with the indexes of {@code table} as without them. */
  boolean agree(Dataset table) throws Exception {
    if (literals.isEmpty()) {
      return true;
    }
    Set<Long> scanned = rows(table, false);
    try {
      return rows(table, true).equals(scanned);
    } catch (OutOfMemoryException e) {
      throw e;
    } catch (Exception e) {
      // The rows were read just now: what cannot be read is the index.
      LOGGER.atWarn().addKeyValue("reason", e.getMessage()).log("an index cannot be read");
      return false;
    }
  }

  // A scanner declares that closing may throw anything.
  @SuppressWarnings("try")
  private Set<Long> rows(Dataset table, boolean useIndex) throws Exception {
    ScanOptions options =
        new ScanOptions.Builder()
            .columns(List.of())
            .filter("`" + column + "` IN (" + String.join(", ", literals) + ")")
            .withRowAddress(true)
            .useScalarIndex(useIndex)
            .build();
    Set<Long> addresses = new HashSet<>();
    try (LanceScanner scanner = table.newScan(options);
        ArrowReader reader = scanner.scanBatches()) {
      while (reader.loadNextBatch()) {
        FieldVector rows = reader.getVectorSchemaRoot().getVector("_rowaddr");
        for (int i = 0; i < rows.getValueCount(); i++) {
          addresses.add(address(rows, i));
        }
      }
    }
    return addresses;
  }

  private static Long address(FieldVector rows, int i) {
    return rows instanceof BigIntVector signed ? signed.get(i) : ((UInt8Vector) rows).get(i);
  }
}
