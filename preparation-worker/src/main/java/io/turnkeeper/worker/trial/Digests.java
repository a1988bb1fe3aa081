package io.turnkeeper.worker.trial;

import io.turnkeeper.events.storage.Listing;
import io.turnkeeper.events.storage.Storage;
import io.turnkeeper.events.storage.StoredFile;
import io.turnkeeper.worker.authority.Sha256;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The content of every file of a storage at one moment. */
record Digests(Map<String, String> files) {

  /** Where Lance notes how far versions go at least; it writes it anew with every version. */
  private static final String HINT = "latest_version_hint.json";

  static Digests of(Storage storage) throws IOException {
    Map<String, String> files = new HashMap<>();
    add("", storage, files);
    return new Digests(files);
  }

  private static void add(String folder, Storage storage, Map<String, String> files)
      throws IOException {
    Listing listing = storage.list(folder);
    for (StoredFile file : listing.files()) {
      if (!file.baseName().equals(HINT)) {
        put(file.name(), storage, files);
      }
    }
    for (String inner : listing.folders()) {
      add(inner, storage, files);
    }
  }

  private static void put(String file, Storage storage, Map<String, String> files)
      throws IOException {
    try {
      files.put(file, Sha256.hex(storage.content(file)));
    } catch (NoSuchFileException e) {
      // Temporary: gone between the listing and the reading.
      files.remove(file);
    }
  }

  /** The files that are there in both and have other content later. */
  List<String> overwritten(Digests later) {
    return files.entrySet().stream()
        .filter(
            file ->
                !later.files.getOrDefault(file.getKey(), file.getValue()).equals(file.getValue()))
        .map(Map.Entry::getKey)
        .sorted()
        .toList();
  }
}
