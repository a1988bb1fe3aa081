package io.turnkeeper.worker.work;

import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import org.lance.Dataset;
import org.lance.Fragment;
import org.lance.FragmentMetadata;
import org.lance.Version;
import org.lance.fragment.DataFile;
import org.lance.fragment.DeletionFile;

/** The files and index folders that some version of a table names. */
record NamedFiles(Set<Path> files, Set<Path> folders) {
  /** Reads every version that is there. */
  static NamedFiles of(Dataset table, TableFiles files) {
    NamedFiles named = new NamedFiles(new HashSet<>(), new HashSet<>());
    for (Version version : table.listVersions()) {
      try (Dataset at = table.checkoutVersion(version.getId())) {
        named.add(at, files);
      }
    }
    return named;
  }

  private void add(Dataset version, TableFiles names) {
    for (Fragment fragment : version.getFragments()) {
      FragmentMetadata metadata = fragment.metadata();
      for (DataFile file : metadata.getFiles()) {
        files.add(names.data(file));
      }
      DeletionFile deletions = metadata.getDeletionFile();
      if (deletions != null) {
        files.add(names.deletions(metadata.getId(), deletions));
      }
    }
    version.getIndexes().forEach(index -> folders.add(names.index(index.uuid())));
  }

  boolean has(Path file) {
    return files.contains(file) || folders.contains(file.getParent());
  }
}
