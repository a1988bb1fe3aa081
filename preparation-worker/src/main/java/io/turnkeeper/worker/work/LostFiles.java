package io.turnkeeper.worker.work;

import io.turnkeeper.events.storage.Storage;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.lance.Dataset;
import org.lance.FragmentMetadata;
import org.lance.fragment.DataFile;
import org.lance.fragment.DeletionFile;

/**
 * Finds the files of fragments that are gone, or that are not as long as the table says.
 *
 * @param sizes the bytes of what is there, by its place below the table
 */
record LostFiles(Map<String, Long> sizes) {

  /**
   * Lists what is there. Only fragments of versions that are older than this can be asked for.
   *
   * @throws IOException if that cannot be told: what cannot be looked at is not lost
   */
  static LostFiles in(Storage table) throws IOException {
    Map<String, Long> sizes = new HashMap<>();
    for (String folder : List.of(TableFiles.DATA, TableFiles.DELETIONS)) {
      table.list(folder).files().forEach(file -> sizes.put(file.name(), file.bytes()));
    }
    return new LostFiles(sizes);
  }

  /** Whether there is not even one file, as on a disk that is not mounted. */
  boolean isEverything() {
    return sizes.isEmpty();
  }

  boolean anyOf(Dataset table) {
    return table.getFragments().stream().anyMatch(fragment -> !of(fragment.metadata()).isEmpty());
  }

  /** The lost files of {@code fragment}. */
  List<String> of(FragmentMetadata fragment) {
    List<String> lost = new ArrayList<>();
    for (DataFile file : fragment.getFiles()) {
      addIfLost(lost, TableFiles.data(file), file.getFileSizeBytes());
    }
    DeletionFile deletions = fragment.getDeletionFile();
    if (deletions != null) {
      addIfLost(lost, TableFiles.deletions(fragment.getId(), deletions), null);
    }
    return lost;
  }

  private void addIfLost(List<String> lost, String file, @Nullable Long expected) {
    Long found = sizes.get(file);
    if (found == null || (expected != null && !expected.equals(found))) {
      lost.add(file);
    }
  }
}
