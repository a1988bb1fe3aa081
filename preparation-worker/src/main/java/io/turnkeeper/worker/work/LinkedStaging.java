package io.turnkeeper.worker.work;

import io.turnkeeper.events.storage.LocalStorage;
import io.turnkeeper.events.storage.Storage;
import io.turnkeeper.worker.fence.ManifestPaths;
import io.turnkeeper.worker.fence.OpenTable;
import java.io.IOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.SortedMap;
import java.util.stream.Stream;
import org.apache.arrow.memory.BufferAllocator;
import org.lance.Dataset;
import org.lance.FragmentMetadata;
import org.lance.fragment.DataFile;
import org.lance.fragment.DeletionFile;

/**
 * On a file system the attempt's own table has the manifest of the real one and reads its files
 * through links; what it wrote gets its name there by another link, whatever its size.
 */
final class LinkedStaging extends Staging {
  private final LocalStorage real;
  private final String folder;
  private final LocalStorage own;

  LinkedStaging(LocalStorage real, String folder) {
    super(real, folder);
    this.real = real;
    this.folder = folder;
    this.own = new LocalStorage(real.file(folder + TABLE));
  }

  @Override
  void create() throws IOException {
    Files.createDirectories(real.file(TableFiles.PREPARED));
    Files.createDirectory(real.file(folder));
    for (String written : WRITTEN) {
      Files.createDirectories(own.file(written));
    }
    Files.createDirectory(own.file(TableFiles.VERSIONS));
  }

  /** Or it could not be moved back. Lance makes the directories that it lacks when it writes. */
  @Override
  void leaveNoShell() throws IOException {
    try {
      Files.deleteIfExists(real.file(TableFiles.PREPARED));
      Files.deleteIfExists(real.root());
    } catch (DirectoryNotEmptyException e) {
      // Then it is somebody else's.
      return;
    }
  }

  @Override
  Storage table() {
    return own;
  }

  @Override
  Dataset openOwn(Dataset pinned, Collection<FragmentMetadata> readable, BufferAllocator allocator)
      throws IOException {
    // Fragments may share a file: Lance takes the same append twice.
    Set<String> files = new LinkedHashSet<>();
    for (FragmentMetadata fragment : readable) {
      for (DataFile file : fragment.getFiles()) {
        files.add(TableFiles.data(file));
      }
      DeletionFile deletions = fragment.getDeletionFile();
      if (deletions != null) {
        files.add(TableFiles.deletions(fragment.getId(), deletions));
      }
    }
    for (String file : files) {
      link(file);
    }
    String manifest = ManifestPaths.visible(pinned.version());
    Files.copy(real.file(manifest), own.file(manifest));
    return OpenTable.newest(own.location(), allocator);
  }

  @Override
  Dataset openWhole(Dataset pinned, BufferAllocator allocator)
      throws IOException, WorkFailedException {
    for (var index : pinned.getIndexes()) {
      String segment = TableFiles.index(index.uuid());
      if (Files.isDirectory(real.file(segment))) {
        link(segment);
      }
    }
    return super.openWhole(pinned, allocator);
  }

  private void link(String name) throws IOException {
    Files.createSymbolicLink(own.file(name), real.file(name));
  }

  /** Links are not followed: what they lead to was there before. */
  @Override
  void addWritten(String written, SortedMap<String, Long> sizes) throws IOException {
    try (Stream<Path> walk = Files.walk(own.file(written))) {
      for (Path file : (Iterable<Path>) walk::iterator) {
        if (Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
          sizes.put(own.root().relativize(file).toString(), Files.size(file));
        }
      }
    }
  }

  @Override
  void promote(PreparedFiles files, Progress progress) throws IOException {
    Set<Path> folders = new LinkedHashSet<>();
    for (String name : files.sizes().keySet()) {
      Path source = own.file(name);
      LocalStorage.sync(source);
      Path target = real.file(name);
      Path parent = target.resolveSibling("");
      if (folders.add(parent)) {
        Files.createDirectories(parent);
      }
      Files.createLink(target, source);
    }
    for (Path parent : folders) {
      LocalStorage.sync(parent);
      LocalStorage.sync(parent.resolveSibling(""));
    }
    own.deleteFolder("");
  }
}
