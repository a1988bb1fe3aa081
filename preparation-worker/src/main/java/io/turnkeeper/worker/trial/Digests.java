package io.turnkeeper.worker.trial;

import io.turnkeeper.worker.authority.Sha256;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** The content of every file below a directory at one moment. */
record Digests(Map<Path, String> files) {

  /** Where Lance notes how far versions go at least; it writes it anew with every version. */
  private static final String HINT = "latest_version_hint.json";

  static Digests of(Path directory) throws IOException {
    Map<Path, String> files = new HashMap<>();
    try (Stream<Path> all = Files.walk(directory)) {
      for (Path file : all.filter(Digests::isKept).toList()) {
        put(files, file);
      }
    }
    return new Digests(files);
  }

  private static void put(Map<Path, String> files, Path file) throws IOException {
    try {
      files.put(file, Sha256.hex(Files.readAllBytes(file)));
    } catch (NoSuchFileException e) {
      // Temporary: gone between the listing and the reading.
      files.remove(file);
    }
  }

  private static boolean isKept(Path file) {
    return Files.isRegularFile(file) && !file.endsWith(HINT);
  }

  /** The files that are there in both and have other content later. */
  List<Path> overwritten(Digests later) {
    return files.entrySet().stream()
        .filter(
            file ->
                !later.files.getOrDefault(file.getKey(), file.getValue()).equals(file.getValue()))
        .map(Map.Entry::getKey)
        .sorted()
        .toList();
  }
}
