package io.turnkeeper.worker.work;

import io.turnkeeper.core.Attempt;
import io.turnkeeper.worker.fence.ManifestPaths;
import java.util.Locale;
import java.util.UUID;
import org.lance.fragment.DataFile;
import org.lance.fragment.DeletionFile;
import org.lance.fragment.DeletionFileType;

/** Where a table keeps its files, as Lance 7 names them, below its root. */
final class TableFiles {
  static final String DATA = "data/";
  static final String DELETIONS = "_deletions/";
  static final String INDICES = "_indices/";
  static final String VERSIONS = ManifestPaths.VERSIONS;

  /** Where preparations work; Lance does not know it. */
  static final String PREPARED = "_prepared/";

  private TableFiles() {}

  static String data(DataFile file) {
    return DATA + file.getPath();
  }

  static String deletions(int fragment, DeletionFile file) {
    return DELETIONS
        + String.format(
            Locale.ROOT,
            "%d-%d-%s.%s",
            fragment,
            file.getReadVersion(),
            Long.toUnsignedString(file.getId()),
            file.getFileType() == DeletionFileType.ARRAY ? "arrow" : "bin");
  }

  /** The folder of one index segment. */
  static String index(UUID uuid) {
    return INDICES + uuid + "/";
  }

  /** The folder that {@code file} lies in. */
  static String folderOf(String file) {
    return file.substring(0, file.lastIndexOf('/') + 1);
  }

  /** Where {@code attempt} keeps what it has not published. */
  static String prepared(Attempt attempt) {
    return PREPARED
        + "%d-%d-%d/".formatted(attempt.unit().sequence(), attempt.number(), attempt.incarnation());
  }
}
