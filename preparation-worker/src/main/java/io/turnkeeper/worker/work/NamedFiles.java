package io.turnkeeper.worker.work;

import java.util.HashSet;
import java.util.Set;
import org.lance.Dataset;
import org.lance.Fragment;
import org.lance.FragmentMetadata;
import org.lance.Version;
import org.lance.fragment.DataFile;
import org.lance.fragment.DeletionFile;

/** The files and index folders that some version of a table TableFiles. */
record NamedFiles(Set<String> files, Set<String> folders) {
  /** Reads every version that is there. */
  static NamedFiles of(Dataset table) {
    NamedFiles named = new NamedFiles(new HashSet<>(), new HashSet<>());
    for (Version version : table.listVersions()) {
      try (Dataset at = table.checkoutVersion(version.getId())) {
        named.add(at);
      }
    }
    return named;
  }

  private void add(Dataset version) {
    for (Fragment fragment : version.getFragments()) {
      FragmentMetadata metadata = fragment.metadata();
      for (DataFile file : metadata.getFiles()) {
        files.add(TableFiles.data(file));
      }
      DeletionFile deletions = metadata.getDeletionFile();
      if (deletions != null) {
        files.add(TableFiles.deletions(metadata.getId(), deletions));
      }
    }
    version.getIndexes().forEach(index -> folders.add(TableFiles.index(index.uuid())));
  }

  boolean has(String file) {
    return files.contains(file) || folders.contains(TableFiles.folderOf(file));
  }
}
