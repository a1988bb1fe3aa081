package io.turnkeeper.events.storage;

/** The connections that storages share. Storages of a closed access are of no more use. */
public interface StorageAccess extends AutoCloseable {
  /**
   * The storage with the root {@code uri}, which need not exist.
   *
   * @throws IllegalArgumentException saying what is wrong with it
   */
  Storage at(String uri);

  @Override
  void close();
}
