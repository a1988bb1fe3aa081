package io.turnkeeper.worker.work;

import io.turnkeeper.core.Attempt;
import io.turnkeeper.core.FailureCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.stream.Stream;
import org.lance.fragment.DataFile;
import org.lance.fragment.DeletionFile;
import org.lance.fragment.DeletionFileType;

/** Where a table on a file system keeps its files, as Lance 7 names them. */
record TableFiles(Path root) {
  static final String DATA = "data";
  static final String DELETIONS = "_deletions";
  static final String INDICES = "_indices";
  static final String VERSIONS = "_versions";

  /** Where preparations work; Lance does not know it. */
  static final String PREPARED = "_prepared";

  /** The length of the largest unsigned 64-bit number in decimal. */
  private static final int DIGITS = 20;

  /**
   * The files of the table at {@code uri}, a plain path or a {@code file:} URI.
   *
   * @throws WorkFailedException for any other scheme
   */
  static TableFiles at(String uri) throws WorkFailedException {
    return new TableFiles(LocalPath.of("table", uri).toAbsolutePath());
  }

  Path data(DataFile file) {
    return root.resolve(DATA).resolve(file.getPath());
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
    return root.resolve(DELETIONS).resolve(name);
  }

  Path index(UUID uuid) {
    return root.resolve(INDICES).resolve(uuid.toString());
  }

  /** Whether {@code folder} holds the files of one index segment of the table at {@code root}. */
  static boolean isIndex(Path root, Path folder) {
    return root.resolve(INDICES).equals(folder.getParent());
  }

  /** The manifest of {@code version}; the newest sorts first. */
  Path manifest(long version) {
    String inverted = Long.toUnsignedString(~version);
    return root.resolve(VERSIONS)
        .resolve("0".repeat(DIGITS - inverted.length()) + inverted + ".manifest");
  }

  /** The version of a manifest's file name; empty for any other file. */
  static OptionalLong version(String name) {
    return name.matches("\\d{" + DIGITS + "}\\.manifest")
        ? OptionalLong.of(~Long.parseUnsignedLong(name.substring(0, DIGITS)))
        : OptionalLong.empty();
  }

  /** Where {@code attempt} keeps what it has not published. */
  Path prepared(Attempt attempt) {
    return root.resolve(PREPARED)
        .resolve(attempt.unit().sequence() + "-" + attempt.number() + "-" + attempt.incarnation());
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
