package io.turnkeeper.events.storage;

/** The storage of other tests is one, too. */
class MemoryStorageTest extends StorageContract {
  private final MemoryStorage storage = new MemoryStorage("/table");

  @Override
  protected Storage storage() {
    return storage;
  }
}
