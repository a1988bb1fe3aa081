package io.turnkeeper.worker.work;

import io.turnkeeper.core.FailureCode;
import io.turnkeeper.core.table.Assignment.RunUnit;
import io.turnkeeper.events.storage.LocalStorage;
import io.turnkeeper.events.storage.Storage;
import java.io.IOException;
import java.util.Collection;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.arrow.memory.BufferAllocator;
import org.lance.Dataset;
import org.lance.Fragment;
import org.lance.FragmentMetadata;
import org.lance.fragment.DataFile;
import org.lance.fragment.DeletionFile;

/**
 * The place where one attempt prepares: a table of its own, whose version is that of the real table
 * and which reads the real files. What is written there lies apart from everything else however the
 * work ends, and no commit there reaches the real table.
 */
public abstract sealed class Staging permits LinkedStaging, ClonedStaging {
  static final String DESCRIPTOR = "descriptor.json";
  static final String TABLE = "table/";

  static final List<String> WRITTEN =
      List.of(TableFiles.DATA, TableFiles.DELETIONS, TableFiles.INDICES);

  private final Storage real;
  private final String folder;

  Staging(Storage real, String folder) {
    this.real = real;
    this.folder = folder;
  }

  /** The place in {@code folder} of {@code table}, which need not exist. */
  static Staging in(Storage table, String folder) {
    return table instanceof LocalStorage local
        ? new LinkedStaging(local, folder)
        : new ClonedStaging(table, folder);
  }

  /** The place of {@code unit}'s attempt, which need not exist. */
  static Staging of(RunUnit unit) throws WorkFailedException {
    return in(Place.of("table", unit.uri()), TableFiles.prepared(unit.attempt()));
  }

  /** Makes the place; its name was never used before. */
  abstract void create() throws IOException;

  /** The files of the attempt's own table. */
  abstract Storage table();

  /**
   * Opens the attempt's own table at the version of {@code pinned}.
   *
   * @param readable the fragments that may be read
   */
  final Dataset open(
      Dataset pinned, Collection<FragmentMetadata> readable, BufferAllocator allocator)
      throws IOException, WorkFailedException {
    for (FragmentMetadata fragment : readable) {
      for (DataFile file : fragment.getFiles()) {
        requireOwn(file.getBaseId().isPresent());
      }
      DeletionFile deletions = fragment.getDeletionFile();
      requireOwn(deletions != null && deletions.getBaseId().isPresent());
    }
    Dataset table = openOwn(pinned, readable, allocator);
    if (table.version() != pinned.version()) {
      table.close();
      throw new IllegalStateException(
          "expected a table at version " + pinned.version() + " in " + table().location());
    }
    return table;
  }

  private static void requireOwn(boolean elsewhere) throws WorkFailedException {
    if (elsewhere) {
      throw new WorkFailedException(
          FailureCode.UNSAFE_TABLE,
          "expected all files of the table in its own directory, but some lie in another table's");
    }
  }

  /** Makes and opens the attempt's own table, which must be able to read those fragments. */
  abstract Dataset openOwn(
      Dataset pinned, Collection<FragmentMetadata> readable, BufferAllocator allocator)
      throws IOException;

  /** Opens it with all that {@code pinned} has, its indexes too. */
  Dataset openWhole(Dataset pinned, BufferAllocator allocator)
      throws IOException, WorkFailedException {
    return open(pinned, pinned.getFragments().stream().map(Fragment::metadata).toList(), allocator);
  }

  /** What was written, under the names it will have in the real table. */
  final PreparedFiles files() throws IOException {
    SortedMap<String, Long> sizes = new TreeMap<>();
    for (String written : WRITTEN) {
      addWritten(written, sizes);
    }
    return new PreparedFiles(real, sizes);
  }

  /** Adds what was written in one folder of the attempt's own table, at any depth. */
  abstract void addWritten(String written, SortedMap<String, Long> sizes) throws IOException;

  /**
   * Gives {@code files} their names in the real table, where no version names them yet, and drops
   * the rest. They survive a loss of power from here on.
   */
  abstract void promote(PreparedFiles files, Progress progress) throws IOException;

  /** Where in the real table it is described what is prepared. */
  final String descriptor() {
    return folder + DESCRIPTOR;
  }

  /**
   * Deletes everything that the attempt wrote, wherever it ended. Only for what was not committed
   * and never will be.
   */
  final void discard() throws IOException {
    if (real.stat(descriptor()).isPresent()) {
      // Only from here on may there be files outside this folder.
      Descriptor.files(real, descriptor()).delete();
    }
    forget();
  }

  /**
   * Looks whether there is a table at all.
   *
   * @throws WorkFailedException if not
   */
  final void requireTable() throws IOException, WorkFailedException {
    if (real.list(TableFiles.VERSIONS).files().isEmpty()) {
      throw new WorkFailedException(
          FailureCode.NO_SUCH_TABLE,
          "expected a table at " + real.location() + ", but no version of one is there");
    }
  }

  /** Deletes the directories that were made anew of a table that was moved away, if empty. */
  abstract void leaveNoShell() throws IOException;

  /** Deletes what describes a preparation whose files belong to the table now. */
  final void forget() throws IOException {
    real.deleteFolder(folder);
  }
}
