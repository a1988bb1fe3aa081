package io.turnkeeper.worker.work;

import io.turnkeeper.events.storage.Storage;
import io.turnkeeper.events.storage.StoredFile;
import java.io.IOException;
import java.util.Collections;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The files that one preparation wrote, and no others, with the sizes they had.
 *
 * @param table the storage they lie in
 * @param sizes their bytes, by their place below the table
 */
public record PreparedFiles(Storage table, SortedMap<String, Long> sizes) {
  public PreparedFiles {
    sizes = Collections.unmodifiableSortedMap(new TreeMap<>(sizes));
  }

  public long count() {
    return sizes.size();
  }

  public long bytes() {
    return sizes.values().stream().mapToLong(Long::longValue).sum();
  }

  /**
   * Says which file is gone or has another size, or null if all are as they were.
   *
   * @throws IOException if one cannot be looked at, which says nothing of it
   */
  public @Nullable String difference() throws IOException {
    for (var entry : sizes.entrySet()) {
      String file = entry.getKey();
      Optional<StoredFile> found = table.stat(file);
      if (found.isEmpty()) {
        return "expected the prepared file " + file + ", but it is gone";
      }
      if (found.get().bytes() != entry.getValue()) {
        return "expected %s to have %d bytes, but it has %d"
            .formatted(file, entry.getValue(), found.get().bytes());
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
    Set<String> segments = new TreeSet<>();
    for (String file : sizes.keySet()) {
      if (file.startsWith(TableFiles.INDICES)) {
        segments.add(TableFiles.folderOf(file));
      }
    }
    table.delete(sizes.keySet());
    for (String segment : segments) {
      // The folder of an index segment is its preparation's own, down to its name.
      table.deleteFolder(segment);
    }
  }
}
