package io.turnkeeper.local.verify;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** Asks for a sample of keys with and without the index and compares the answers. */
final class IndexCheck {
  /** Some keys of the sample are in no row, since an index can also find too much. */
  private static final int ABSENT_KEYS = 50;

  private static final int KEYS_PER_QUERY = 100;
  private static final long SEED = 42;

  private IndexCheck() {}

  /**
   * What came out.
   *
   * @param agrees whether every key gave the same rows, and as many as expected
   * @param used whether the plan names the index
   */
  record Answer(int keys, boolean agrees, boolean used, String plan) {}

  static Answer ask(TableOnDisk table, List<SealRecord.Sealed> record, int keys, String index)
      throws IOException {
    List<String> sample = sample(record, keys);
    Map<String, List<String>> scanned = table.rows(in(sample), false);
    Map<String, List<String>> indexed = new HashMap<>();
    for (int from = 0; from < sample.size(); from += KEYS_PER_QUERY) {
      List<String> part = sample.subList(from, Math.min(sample.size(), from + KEYS_PER_QUERY));
      indexed.putAll(table.rows(in(part), true));
    }
    String plan = table.plan(RowId.COLUMN + " = '" + sample.get(0) + "'");
    boolean eachOnce = scanned.values().stream().allMatch(rows -> rows.size() == 1);
    return new Answer(
        sample.size(),
        scanned.equals(indexed) && eachOnce && scanned.size() == sample.size() - ABSENT_KEYS,
        plan.contains("ScalarIndexQuery") && plan.contains("@" + index),
        plan);
  }

  private static List<String> sample(List<SealRecord.Sealed> record, int keys) {
    Random random = new Random(SEED);
    long rows = record.stream().mapToLong(SealRecord.Sealed::rows).sum();
    TreeSet<String> sample = new TreeSet<>();
    long wanted = Math.min(keys - ABSENT_KEYS, rows);
    while (sample.size() < wanted) {
      sample.add(key(record, random.nextLong(rows)));
    }
    List<String> all = new ArrayList<>(sample);
    for (int i = 0; i < ABSENT_KEYS; i++) {
      all.add(RowId.of("absent", i));
    }
    return all;
  }

  // A row is drawn, not a generation: every key is equally likely.
  private static String key(List<SealRecord.Sealed> record, long row) {
    long left = row;
    for (SealRecord.Sealed sealed : record) {
      if (left < sealed.rows()) {
        return RowId.of(sealed.shard(), sealed.firstNumber() + left);
      }
      left -= sealed.rows();
    }
    throw new IllegalStateException("expected row " + row + " to be in the record");
  }

  private static String in(List<String> ids) {
    return ids.stream()
        .map(id -> "'" + id + "'")
        .collect(Collectors.joining(",", RowId.COLUMN + " IN (", ")"));
  }
}
