package io.turnkeeper.events.storage;

import java.util.List;

/**
 * What lies directly in one folder.
 *
 * @param files in the order of their names
 * @param folders in the order of their names, each with a slash at its end
 */
public record Listing(List<StoredFile> files, List<String> folders) {
  static final Listing EMPTY = new Listing(List.of(), List.of());

  public Listing {
    files = List.copyOf(files);
    folders = List.copyOf(folders);
  }

  /** How many bytes the files have. */
  public long bytes() {
    return files.stream().mapToLong(StoredFile::bytes).sum();
  }
}
