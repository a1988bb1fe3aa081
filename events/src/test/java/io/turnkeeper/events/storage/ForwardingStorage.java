package io.turnkeeper.events.storage;

import java.io.IOException;
import java.nio.channels.SeekableByteChannel;
import java.util.Collection;
import java.util.Optional;

/** A storage that does as another one does, but for what a test has otherwise. */
public abstract class ForwardingStorage implements Storage {
  private final Storage storage;

  protected ForwardingStorage(Storage storage) {
    this.storage = storage;
  }

  @Override
  public String location() {
    return storage.location();
  }

  @Override
  public String key() {
    return storage.key();
  }

  @Override
  public Listing list(String folder) throws IOException {
    return storage.list(folder);
  }

  @Override
  public Optional<StoredFile> stat(String name) throws IOException {
    return storage.stat(name);
  }

  @Override
  public SeekableByteChannel read(String name) throws IOException {
    return storage.read(name);
  }

  @Override
  public Draft draft(String name) throws IOException {
    return storage.draft(name);
  }

  @Override
  public boolean copyIfAbsent(String source, String name) throws IOException {
    return storage.copyIfAbsent(source, name);
  }

  @Override
  public void delete(Collection<String> names) throws IOException {
    storage.delete(names);
  }

  @Override
  public void deleteFolder(String folder) throws IOException {
    storage.deleteFolder(folder);
  }
}
