package io.turnkeeper.worker.fence;

import io.turnkeeper.events.storage.Draft;
import io.turnkeeper.events.storage.ForwardingStorage;
import io.turnkeeper.events.storage.Storage;
import java.io.IOException;

/** A storage that is full when a test says so. */
final class FailingStorage extends ForwardingStorage {
  boolean createFails;
  boolean copyFails;

  FailingStorage(Storage storage) {
    super(storage);
  }

  @Override
  public Draft draft(String name) throws IOException {
    failIf(createFails);
    return super.draft(name);
  }

  @Override
  public boolean copyIfAbsent(String source, String name) throws IOException {
    failIf(copyFails);
    return super.copyIfAbsent(source, name);
  }

  private static void failIf(boolean full) throws IOException {
    if (full) {
      throw new IOException("no space left");
    }
  }
}
