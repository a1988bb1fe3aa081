package io.turnkeeper.worker.work;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.lance.FragmentMetadata;
import org.lance.fragment.DataFile;

/** The files that one preparation wrote, and no others, with the sizes they had. */
public final class PreparedFiles {
  private final SortedMap<Path, Long> sizes;
  private final @Nullable Path folder;

  private PreparedFiles(SortedMap<Path, Long> sizes, @Nullable Path folder) {
    this.sizes = Collections.unmodifiableSortedMap(sizes);
    this.folder = folder;
  }

  static PreparedFiles ofFragments(TableFiles table, Collection<FragmentMetadata> fragments)
      throws WorkFailedException {
    SortedMap<Path, Long> sizes = new TreeMap<>();
    for (FragmentMetadata fragment : fragments) {
      for (DataFile file : fragment.getFiles()) {
        Path path = table.data(file);
        sizes.put(path, TableFiles.sizeOf(path));
      }
    }
    return new PreparedFiles(sizes, null);
  }

  static PreparedFiles ofIndex(TableFiles table, UUID uuid) throws WorkFailedException {
    Path folder = table.index(uuid);
    SortedMap<Path, Long> sizes = new TreeMap<>();
    try (Stream<Path> files = Files.isDirectory(folder) ? Files.list(folder) : Stream.empty()) {
      for (Path file : (Iterable<Path>) files::iterator) {
        sizes.put(file, TableFiles.sizeOf(file));
      }
    } catch (IOException e) {
      throw new UncheckedIOException("cannot list " + folder, e);
    }
    return new PreparedFiles(sizes, folder);
  }

  public long count() {
    return sizes.size();
  }

  public long bytes() {
    return sizes.values().stream().mapToLong(Long::longValue).sum();
  }

  public List<Path> paths() {
    return List.copyOf(sizes.keySet());
  }

  /** Says which file is gone or has another size, or null if all are as they were. */
  public @Nullable String difference() {
    for (var entry : sizes.entrySet()) {
      Path file = entry.getKey();
      try {
        long size = Files.size(file);
        if (size != entry.getValue()) {
          return "expected " + file + " to have " + entry.getValue() + " bytes, but it has " + size;
        }
      } catch (IOException e) {
        return "expected the prepared file " + file + ", but it cannot be read: " + e;
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
    for (Path file : sizes.keySet()) {
      Files.deleteIfExists(file);
    }
    if (folder != null) {
      Files.deleteIfExists(folder);
    }
  }
}
