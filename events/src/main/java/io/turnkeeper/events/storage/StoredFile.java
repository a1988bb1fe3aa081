package io.turnkeeper.events.storage;

/**
 * A file as its storage tells of it.
 *
 * @param name its place below the root of the storage
 */
public record StoredFile(String name, long bytes, long modifiedMillis) {
  /** The name without the folders it lies in. */
  public String baseName() {
    return name.substring(name.lastIndexOf('/') + 1);
  }
}
