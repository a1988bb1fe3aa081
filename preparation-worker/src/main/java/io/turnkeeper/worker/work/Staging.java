package io.turnkeeper.worker.work;

import io.turnkeeper.core.FailureCode;
import io.turnkeeper.core.table.Assignment.RunUnit;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.arrow.memory.BufferAllocator;
import org.jspecify.annotations.Nullable;
import org.lance.Dataset;
import org.lance.Fragment;
import org.lance.FragmentMetadata;
import org.lance.fragment.DataFile;
import org.lance.fragment.DeletionFile;

/**
 * The place where one attempt prepares: a table of its own, whose version is that of the real table
 * and which reads the real files through links. What is written there lies apart from everything
 * else however the work ends, and no commit there reaches the real table.
 */
public final class Staging {
  static final String DESCRIPTOR = "descriptor.json";
  static final String TABLE = "table";

  private static final List<String> WRITTEN =
      List.of(TableFiles.DATA, TableFiles.DELETIONS, TableFiles.INDICES);

  private final TableFiles real;
  private final Path directory;
  private final TableFiles own;

  Staging(TableFiles real, Path directory) {
    this.real = real;
    this.directory = directory;
    this.own = new TableFiles(directory.resolve(TABLE));
  }

  /** The place of {@code unit}'s attempt, which need not exist. */
  static Staging of(RunUnit unit) throws WorkFailedException {
    TableFiles real = TableFiles.at(unit.uri());
    return new Staging(real, real.prepared(unit.attempt()));
  }

  /** Makes the place; its name was never used before. */
  void create() throws IOException {
    Files.createDirectories(directory.resolveSibling(""));
    Files.createDirectory(directory);
    for (String folder : WRITTEN) {
      Files.createDirectories(own.root().resolve(folder));
    }
    Files.createDirectory(own.root().resolve(TableFiles.VERSIONS));
  }

  /** Where what is prepared is described. */
  Path descriptor() {
    return directory.resolve(DESCRIPTOR);
  }

  /** The files of the attempt's own table. */
  TableFiles table() {
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
        Files.createSymbolicLink(own.data(file), real.data(file));
      }
      DeletionFile deletions = fragment.getDeletionFile();
      if (deletions != null) {
        requireOwn(deletions.getBaseId().isPresent());
        Files.createSymbolicLink(
            own.deletions(fragment.getId(), deletions),
            real.deletions(fragment.getId(), deletions));
      }
    }
    Files.copy(real.manifest(pinned.version()), own.manifest(pinned.version()));
    Dataset table = OpenTable.newest(own.root().toString(), allocator);
    if (table.version() != pinned.version()) {
      table.close();
      throw new IllegalStateException(
          "expected a table at version " + pinned.version() + " in " + own.root());
    }
    return table;
  }

  /** Opens it with all that {@code pinned} has, its indexes too. */
  Dataset openWhole(Dataset pinned, BufferAllocator allocator)
      throws IOException, WorkFailedException {
    for (var index : pinned.getIndexes()) {
      Path folder = real.index(index.uuid());
      if (Files.isDirectory(folder)) {
        Files.createSymbolicLink(own.index(index.uuid()), folder);
      }
    }
    return open(pinned, pinned.getFragments().stream().map(Fragment::metadata).toList(), allocator);
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
    for (String folder : WRITTEN) {
      // Links are not followed: what they lead to was there before.
      try (Stream<Path> walk = Files.walk(own.root().resolve(folder))) {
        for (Path file : (Iterable<Path>) walk::iterator) {
          if (Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
            sizes.put(own.root().relativize(file).toString(), Files.size(file));
          }
        }
      }
    }
    return new PreparedFiles(real.root(), sizes);
  }

  /**
   * Gives {@code files} their names in the real table, where no version names them yet, and drops
   * the rest. They survive a loss of power from here on.
   */
  void promote(PreparedFiles files) throws IOException {
    Set<Path> folders = new LinkedHashSet<>();
    for (String name : files.sizes().keySet()) {
      Path source = own.root().resolve(name);
      sync(source);
      Path target = real.root().resolve(name);
      Path folder = target.resolveSibling("");
      if (folders.add(folder)) {
        Files.createDirectories(folder);
      }
      Files.createLink(target, source);
    }
    for (Path folder : folders) {
      sync(folder);
      sync(folder.resolveSibling(""));
    }
    delete(own.root());
  }

  private static void sync(Path path) throws IOException {
    try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
      channel.force(true);
    }
  }

  /**
   * Deletes everything that the attempt wrote, wherever it ended. Only for what was not committed
   * and never will be.
   */
  void discard() throws IOException {
    if (Files.exists(descriptor())) {
      // Only from here on may there be files outside this directory.
      Descriptor.files(descriptor()).delete();
    }
    forget();
  }

  /** Deletes what describes a preparation whose files belong to the table now. */
  void forget() throws IOException {
    if (Files.isDirectory(directory)) {
      delete(directory);
    }
  }

  private static void delete(Path directory) throws IOException {
    Files.walkFileTree(
        directory,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            Files.delete(file);
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult postVisitDirectory(Path folder, @Nullable IOException failure)
              throws IOException {
            if (failure != null) {
              throw failure;
            }
            Files.delete(folder);
            return FileVisitResult.CONTINUE;
          }
        });
  }
}
