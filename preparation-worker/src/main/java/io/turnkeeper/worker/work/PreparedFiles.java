package io.turnkeeper.worker.work;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The files that one preparation wrote, and no others, with the sizes they had.
 *
 * @param root the table they belong to
 * @param sizes their bytes, by their place below the table
 */
public record PreparedFiles(Path root, SortedMap<String, Long> sizes) {
  public PreparedFiles {
    sizes = Collections.unmodifiableSortedMap(new TreeMap<>(sizes));
  }

  public long count() {
    return sizes.size();
  }

  public long bytes() {
    return sizes.values().stream().mapToLong(Long::longValue).sum();
  }

  public List<Path> paths() {
    return sizes.keySet().stream().map(root::resolve).toList();
  }

  /** Says which file is gone or has another size, or null if all are as they were. */
  public @Nullable String difference() {
    for (var entry : sizes.entrySet()) {
      Path file = root.resolve(entry.getKey());
      try {
        long size = Files.size(file);
        if (size != entry.getValue()) {
          return "expected " + file + " to have " + entry.getValue() + " bytes, but it has " + size;
        }
      } catch (IOException e) {
        return "expected the prepared file " + file + ", but it cannot be read: " + e;
      }
    }
    return null;
  }

  /**
   * Deletes these files. Only for a preparation that was not committed and never will be.
   *
   * @throws IOException if a file is there and cannot be deleted
   */
  public void delete() throws IOException {
    Set<Path> indexes = new TreeSet<>();
    for (Path file : paths()) {
      Files.deleteIfExists(file);
      Path folder = file.getParent();
      if (folder != null && TableFiles.isIndex(root, folder)) {
        indexes.add(folder);
      }
    }
    for (Path folder : indexes) {
      Files.deleteIfExists(folder);
    }
  }
}
