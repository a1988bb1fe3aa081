package io.turnkeeper.worker.work;

import io.turnkeeper.events.storage.Listing;
import io.turnkeeper.events.storage.Storage;
import io.turnkeeper.worker.fence.OpenTable;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.util.Collection;
import java.util.SortedMap;
import org.apache.arrow.memory.BufferAllocator;
import org.lance.Dataset;
import org.lance.FragmentMetadata;
import org.lance.Ref;

/**
 * Where there are no links the attempt's own table is a shallow clone: its manifest says of each
 * file that it lies in the real table. What it wrote is copied by the store itself.
 */
final class ClonedStaging extends Staging {
  /** Makes the place seen before anything is read, so that what may be read is kept. */
  private static final String BEGUN = "begun";

  private final Storage real;
  private final String folder;
  private final Storage own;

  /** How Lance says that a table is there. */
  private static final String EXISTS = "Dataset already exists";

  ClonedStaging(Storage real, String folder) {
    super(real, folder);
    this.real = real;
    this.folder = folder;
    this.own = Storage.at(real.location() + "/" + folder + TABLE);
  }

  @Override
  void create() throws IOException {
    String begun = folder + BEGUN;
    if (!real.createIfAbsent(begun, new byte[0])) {
      throw new FileAlreadyExistsException(real.location() + "/" + begun);
    }
  }

  /** Nothing is left of folders without files. */
  @Override
  void leaveNoShell() {}

  @Override
  Storage table() {
    return own;
  }

  @Override
  Dataset openOwn(Dataset pinned, Collection<FragmentMetadata> readable, BufferAllocator allocator)
      throws IOException {
    try {
      return pinned.shallowClone(own.location(), Ref.ofMain(pinned.version()), own.lanceOptions());
    } catch (RuntimeException e) {
      if (!String.valueOf(e.getMessage()).startsWith(EXISTS)) {
        throw e;
      }
      // The name is this attempt's alone: Lance made it, lost the answer, and tried once more.
      return OpenTable.newest(own.location(), allocator);
    }
  }

  @Override
  void addWritten(String written, SortedMap<String, Long> sizes) throws IOException {
    Listing listing = own.list(written);
    listing.files().forEach(file -> sizes.put(file.name(), file.bytes()));
    for (String inner : listing.folders()) {
      addWritten(inner, sizes);
    }
  }

  @Override
  void promote(PreparedFiles files, Progress progress) throws IOException {
    int copied = 0;
    for (String name : files.sizes().keySet()) {
      real.copyNew(folder + TABLE + name, name);
      copied++;
      progress.completed(0, 0, 0, "copied " + copied + " of " + files.count() + " files");
    }
    own.deleteFolder("");
  }
}
