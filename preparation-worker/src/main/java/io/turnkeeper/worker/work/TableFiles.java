package io.turnkeeper.worker.work;

import io.turnkeeper.core.FailureCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.UUID;
import java.util.stream.Stream;
import org.lance.fragment.DataFile;
import org.lance.fragment.DeletionFile;
import org.lance.fragment.DeletionFileType;

/** Where a table on a file system keeps its files, as Lance 7 names them. */
record TableFiles(Path root) {

  /**
   * The files of the table at {@code uri}, a plain path or a {@code file:} URI.
   *
   * @throws WorkFailedException for any other scheme
   */
  static TableFiles at(String uri) throws WorkFailedException {
    return new TableFiles(LocalPath.of("table", uri));
  }

  Path data(DataFile file) {
    return root.resolve("data").resolve(file.getPath());
  }

  Path deletions(int fragment, DeletionFile file) {
    String extension = file.getFileType() == DeletionFileType.ARRAY ? "arrow" : "bin";
    String name =
        String.format(
            Locale.ROOT,
            "%d-%d-%s.%s",
            fragment,
            file.getReadVersion(),
            Long.toUnsignedString(file.getId()),
            extension);
    return root.resolve("_deletions").resolve(name);
  }

  Path index(UUID uuid) {
    return root.resolve("_indices").resolve(uuid.toString());
  }

  static long sizeOf(Path file) throws WorkFailedException {
    try {
      return Files.size(file);
    } catch (IOException e) {
      throw new WorkFailedException(FailureCode.IO, "cannot read the size of " + file, e);
    }
  }

  /** The bytes of the files directly in {@code folder}, 0 if there is none. */
  static long folderBytes(Path folder) throws WorkFailedException {
    if (!Files.isDirectory(folder)) {
      return 0;
    }
    long bytes = 0;
    try (Stream<Path> files = Files.list(folder)) {
      for (Path file : (Iterable<Path>) files::iterator) {
        bytes += sizeOf(file);
      }
    } catch (IOException e) {
      throw new WorkFailedException(FailureCode.IO, "cannot list " + folder, e);
    }
    return bytes;
  }
}
