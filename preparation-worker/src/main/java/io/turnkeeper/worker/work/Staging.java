package io.turnkeeper.worker.work;

import io.turnkeeper.core.FailureCode;
import io.turnkeeper.core.table.Assignment.RunUnit;
import io.turnkeeper.events.storage.LocalStorage;
import io.turnkeeper.events.storage.Storage;
import io.turnkeeper.worker.fence.ManifestPaths;
import io.turnkeeper.worker.fence.OpenTable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.arrow.memory.BufferAllocator;
import org.lance.Dataset;
import org.lance.Fragment;
import org.lance.FragmentMetadata;
import org.lance.fragment.DataFile;
import org.lance.fragment.DeletionFile;

/**
 * The place where one attempt prepares: a table of its own, whose version is that of the real table
 * and which reads the real files through links. What is written there lies apart from everything
 * else however the work ends, and no commit there reaches the real table. Links are a matter of
 * file systems, so this is for tables that lie on one.
 */
public final class Staging {
  static final String DESCRIPTOR = "descriptor.json";
  static final String TABLE = "table/";

  private static final List<String> WRITTEN =
      List.of(TableFiles.DATA, TableFiles.DELETIONS, TableFiles.INDICES);

  private final LocalStorage real;
  private final String folder;
  private final LocalStorage own;

  /**
   * The place in {@code folder} of {@code table}.
   *
   * @throws IllegalArgumentException if the table does not lie where there are links
   */
  Staging(Storage table, String folder) {
    this.real = LocalStorage.at(table.location());
    this.folder = folder;
    this.own = new LocalStorage(real.file(folder + TABLE));
  }

  /** The place of {@code unit}'s attempt, which need not exist. */
  static Staging of(RunUnit unit) throws WorkFailedException {
    return new Staging(Place.of("table", unit.uri()), TableFiles.prepared(unit.attempt()));
  }

  /** Makes the place; its name was never used before. */
  void create() throws IOException {
    Files.createDirectories(real.file(TableFiles.PREPARED));
    Files.createDirectory(real.file(folder));
    for (String written : WRITTEN) {
      Files.createDirectories(own.file(written));
    }
    Files.createDirectory(own.file(TableFiles.VERSIONS));
  }

  /** Where in the real table it is described what is prepared. */
  String descriptor() {
    return folder + DESCRIPTOR;
  }

  /** The files of the attempt's own table. */
  Storage table() {
    return own;
  }

  /**
   * Opens the attempt's own table at the version of {@code pinned}.
   *
   * @param readable the fragments that may be read
   */
  Dataset open(Dataset pinned, Collection<FragmentMetadata> readable, BufferAllocator allocator)
      throws IOException, WorkFailedException {
    for (FragmentMetadata fragment : readable) {
      for (DataFile file : fragment.getFiles()) {
        requireOwn(file.getBaseId().isPresent());
        link(TableFiles.data(file));
      }
      DeletionFile deletions = fragment.getDeletionFile();
      if (deletions != null) {
        requireOwn(deletions.getBaseId().isPresent());
        link(TableFiles.deletions(fragment.getId(), deletions));
      }
    }
    String manifest = ManifestPaths.visible(pinned.version());
    Files.copy(real.file(manifest), own.file(manifest));
    Dataset table = OpenTable.newest(own.location(), allocator);
    if (table.version() != pinned.version()) {
      table.close();
      throw new IllegalStateException(
          "expected a table at version " + pinned.version() + " in " + own.location());
    }
    return table;
  }

  /** Opens it with all that {@code pinned} has, its indexes too. */
  Dataset openWhole(Dataset pinned, BufferAllocator allocator)
      throws IOException, WorkFailedException {
    for (var index : pinned.getIndexes()) {
      String segment = TableFiles.index(index.uuid());
      if (Files.isDirectory(real.file(segment))) {
        link(segment);
      }
    }
    return open(pinned, pinned.getFragments().stream().map(Fragment::metadata).toList(), allocator);
  }

  private void link(String name) throws IOException {
    Files.createSymbolicLink(own.file(name), real.file(name));
  }

  private static void requireOwn(boolean elsewhere) throws WorkFailedException {
    if (elsewhere) {
      throw new WorkFailedException(
          FailureCode.UNSAFE_TABLE,
          "expected all files of the table in its own directory, but some lie in another table's");
    }
  }

  /** What was written, under the names it will have in the real table. */
  PreparedFiles files() throws IOException {
    SortedMap<String, Long> sizes = new TreeMap<>();
    for (String written : WRITTEN) {
      // Links are not followed: what they lead to was there before.
      try (Stream<Path> walk = Files.walk(own.file(written))) {
        for (Path file : (Iterable<Path>) walk::iterator) {
          if (Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
            sizes.put(own.root().relativize(file).toString(), Files.size(file));
          }
        }
      }
    }
    return new PreparedFiles(real, sizes);
  }

  /**
   * Gives {@code files} their names in the real table, where no version names them yet, and drops
   * the rest. They survive a loss of power from here on.
   */
  void promote(PreparedFiles files) throws IOException {
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

  /**
   * Deletes everything that the attempt wrote, wherever it ended. Only for what was not committed
   * and never will be.
   */
  void discard() throws IOException {
    if (real.stat(descriptor()).isPresent()) {
      // Only from here on may there be files outside this folder.
      Descriptor.files(real, descriptor()).delete();
    }
    forget();
  }

  /** Deletes what describes a preparation whose files belong to the table now. */
  void forget() throws IOException {
    real.deleteFolder(folder);
  }
}
