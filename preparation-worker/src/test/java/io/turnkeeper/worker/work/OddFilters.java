package io.turnkeeper.worker.work;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.UInt8Vector;
import org.apache.arrow.vector.ipc.ArrowReader;
import org.lance.Dataset;
import org.lance.ipc.LanceScanner;
import org.lance.ipc.ScanOptions;

/** Sixty filters over {@link OddRows}, each read without an index and with each kind of index. */
final class OddFilters {
  private static final String NAN = "CAST('NaN' AS DOUBLE)";
  private static final String INFINITY = "CAST('Infinity' AS DOUBLE)";

  /** The column's end is left out: {@code d_} stands for each of the columns of doubles. */
  private static final List<String> FILTERS =
      List.of(
          "d_ = 0.0",
          "d_ = -0.0",
          "d_ != 0.0",
          "NOT (d_ = 0.0)",
          "d_ = 17.25",
          "d_ != 17.25",
          "d_ = " + NAN,
          "d_ != " + NAN,
          "d_ >= " + NAN,
          "d_ < " + NAN,
          "isnan(d_)",
          "NOT isnan(d_)",
          "d_ = " + INFINITY,
          "d_ = -" + INFINITY,
          "d_ >= " + INFINITY,
          "d_ <= -" + INFINITY,
          "d_ > 100.0",
          "d_ <= -0.0",
          "d_ > -0.0 AND d_ <= 0.0",
          "d_ BETWEEN -5.0 AND 5.0",
          "d_ NOT BETWEEN -5.0 AND 5.0",
          "d_ IN (0.0, 17.25, 2e300)",
          "d_ NOT IN (0.0, 17.25)",
          "d_ IS NULL",
          "d_ IS NOT NULL",
          "d_ IS NULL OR isnan(d_)",
          "s_ = ''",
          "s_ != ''",
          "s_ = ' '",
          "s_ = 'it''s'",
          "s_ = '\u00e9'",
          "s_ = 'e\u0301'",
          "s_ = 'k1'",
          "NOT (s_ = 'k1')",
          "s_ = 'nobody'",
          "s_ < 'k'",
          "s_ >= 'k9'",
          "s_ > 'k1' AND s_ < 'k3'",
          "s_ BETWEEN '' AND 'A'",
          "s_ IN ('', 'k1', '%', 'nobody')",
          "s_ NOT IN ('', 'k1')",
          "s_ LIKE 'k1%'",
          "s_ LIKE '%'",
          "s_ NOT LIKE 'k%'",
          "s_ LIKE 'k_'",
          "starts_with(s_, 'AAAA')",
          "starts_with(s_, '')",
          "s_ IS NULL",
          "s_ IS NOT NULL",
          "s_ = '" + OddRows.longText('A') + "'",
          "n_ = 5",
          "n_ != 5",
          "n_ = " + Long.MAX_VALUE,
          "n_ <= -9223372036854775807",
          "n_ > 3000",
          "n_ BETWEEN 10 AND 40",
          "n_ IN (1, 2, 3000)",
          "n_ IS NULL",
          "NOT (n_ IS NULL) AND n_ < 100",
          "n_ < 10 OR s_ = 'k1'");

  private final Dataset table;

  OddFilters(Dataset table) {
    this.table = table;
  }

  /** The filters that find other rows with an index. */
  List<String> disagreements() throws Exception {
    List<String> wrong = new ArrayList<>();
    for (String filter : FILTERS) {
      String plain = on(filter, "b");
      long[] scanned = rows(plain, false);
      for (String index : OddRows.indexed(filter.contains("d_") ? "d" : "s")) {
        String indexed = on(filter, index);
        long[] found = rows(indexed, true);
        if (!Arrays.equals(found, scanned)) {
          wrong.add(
              indexed.substring(0, Math.min(100, indexed.length()))
                  + ": "
                  + found.length
                  + " instead of "
                  + scanned.length);
        }
      }
    }
    return wrong;
  }

  private static String on(String filter, String index) {
    return filter.replaceAll("\\b([dsn]_)(?=[ ),]|$)", "$1" + index);
  }

  @SuppressWarnings("try")
  private long[] rows(String filter, boolean useIndex) throws Exception {
    ScanOptions options =
        new ScanOptions.Builder()
            .columns(List.of())
            .filter(filter)
            .withRowAddress(true)
            .useScalarIndex(useIndex)
            .build();
    long[] found = new long[(int) table.countRows()];
    int count = 0;
    try (LanceScanner scanner = table.newScan(options);
        ArrowReader reader = scanner.scanBatches()) {
      while (reader.loadNextBatch()) {
        FieldVector rows = reader.getVectorSchemaRoot().getVector("_rowaddr");
        for (int i = 0; i < rows.getValueCount(); i++) {
          found[count] = ((UInt8Vector) rows).get(i);
          count++;
        }
      }
    }
    long[] sorted = Arrays.copyOf(found, count);
    Arrays.sort(sorted);
    return sorted;
  }
}
