package io.turnkeeper.worker.work;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.lance.FragmentMetadata;
import org.lance.fragment.DataFile;
import org.lance.fragment.DeletionFile;

/** Finds the files of a fragment that are gone, or that are not as long as the table says. */
final class LostFiles {
  private LostFiles() {}

  /**
   * The lost files of {@code fragment}.
   *
   * @throws IOException if that cannot be told: what cannot be looked at is not lost
   */
  static List<Path> of(TableFiles table, FragmentMetadata fragment) throws IOException {
    List<Path> lost = new ArrayList<>();
    for (DataFile file : fragment.getFiles()) {
      addIfLost(lost, table.data(file), file.getFileSizeBytes());
    }
    DeletionFile deletions = fragment.getDeletionFile();
    if (deletions != null) {
      addIfLost(lost, table.deletions(fragment.getId(), deletions), null);
    }
    return lost;
  }

  private static void addIfLost(List<Path> lost, Path file, @Nullable Long size)
      throws IOException {
    try {
      long found = Files.size(file);
      if (size != null && size != found) {
        lost.add(file);
      }
    } catch (NoSuchFileException e) {
      lost.add(file);
    }
  }
}
