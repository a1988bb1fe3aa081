package io.turnkeeper.worker.work;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.lance.Dataset;
import org.lance.Fragment;
import org.lance.FragmentMetadata;
import org.lance.fragment.DataFile;

/**
 * In which file and column each fragment stores one field. A column that is rewritten in place
 * keeps its fragment's id and row count and only moves to another file; Lance accepts an index made
 * before that and answers wrongly from it.
 */
record ColumnFiles(Map<Integer, String> byFragment) {

  static ColumnFiles of(Dataset table, int fieldId) {
    return of(table.getFragments().stream().map(Fragment::metadata).toList(), fieldId);
  }

  static ColumnFiles of(List<FragmentMetadata> fragments, int fieldId) {
    Map<Integer, String> files = new TreeMap<>();
    for (FragmentMetadata fragment : fragments) {
      files.put(fragment.getId(), place(fragment, fieldId));
    }
    return new ColumnFiles(files);
  }

  private static String place(FragmentMetadata fragment, int fieldId) {
    for (DataFile file : fragment.getFiles()) {
      int[] fields = file.getFields();
      for (int i = 0; i < fields.length; i++) {
        if (fields[i] == fieldId) {
          return file.getPath() + "#" + file.getColumnIndices()[i];
        }
      }
    }
    return "nowhere";
  }

  /**
   * The first of {@code fragments} that still lives in {@code now} and stores the field elsewhere,
   * or null. Fragments that are gone do no harm.
   */
  @Nullable Integer movedIn(ColumnFiles now, List<Integer> fragments) {
    for (Integer fragment : fragments) {
      String place = now.byFragment.get(fragment);
      if (place != null && !place.equals(byFragment.get(fragment))) {
        return fragment;
      }
    }
    return null;
  }
}
