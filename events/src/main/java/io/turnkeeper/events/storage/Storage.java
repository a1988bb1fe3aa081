package io.turnkeeper.events.storage;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.SeekableByteChannel;
import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;

/**
 * The files below one root: of a table, or of a log. Names are relative to the root and use
 * slashes; the name of a folder ends with one, that of the root is empty.
 *
 * <p>It promises no more than an object store can keep. There is no renaming and no overwriting: a
 * name is taken at once and for good, by content that is whole and durable. What was created is
 * listed and what was deleted is not, as soon as the call has returned. A folder without files may
 * be listed or not.
 *
 * <p>Whatever goes wrong outside is an {@link IOException}, of which a {@link StorageException}
 * says what kind of trouble it is.
 */
public interface Storage {
  /**
   * How the names of drafts end, where they can be seen; whoever owns a folder clears them away.
   */
  String DRAFT_SUFFIX = ".tmp";

  /**
   * The storage with the root {@code uri}, which need not exist, as the environment says.
   *
   * @param uri a path, or a URI with a scheme that is known here
   * @throws IllegalArgumentException saying what is wrong with it
   */
  static Storage at(String uri) {
    // Whoever has only paths needs no settings, and is not kept by what is wrong with them.
    return Storages.isLocal(uri) ? LocalStorage.at(uri) : Storages.ofEnvironment().at(uri);
  }

  /** The root, as Lance takes it and as {@link #at} does; no slash at the end. */
  String location();

  /**
   * What Lance needs besides the location to reach the same files now. It holds secrets: for no
   * log, message or record.
   */
  default Map<String, String> lanceOptions() throws IOException {
    return Map.of();
  }

  /**
   * What Lance moved to and from the store since this process started: bodies of objects, no
   * headers and no listings. Empty where the system counts that, or {@link
   * Storages#COUNTED_VARIABLE} does not say that it should be counted.
   */
  default Optional<Moved> moved() {
    return Optional.empty();
  }

  /** The root as a key of an object store, as Lance hands it to a namespace. */
  String key();

  /** What lies in {@code folder}; nothing if there is no such folder. */
  Listing list(String folder) throws IOException;

  /** What is known of a file without reading it; empty if there is none. */
  Optional<StoredFile> stat(String name) throws IOException;

  /**
   * Opens a file for reading, at any position.
   *
   * @throws java.nio.file.NoSuchFileException if there is none
   */
  SeekableByteChannel read(String name) throws IOException;

  /** Begins a file that will be called {@code name}; folders are made as needed. */
  Draft draft(String name) throws IOException;

  /**
   * Makes a file whose content is that of {@code source}, unless there is something of its name.
   *
   * @return false if there was
   * @throws java.nio.file.NoSuchFileException if there is no source
   */
  boolean copyIfAbsent(String source, String name) throws IOException;

  /**
   * The same for a source whose content is at hand, so that it need not be read again.
   *
   * @param content all that is in {@code source}
   */
  default boolean copyIfAbsent(String source, String name, byte[] content) throws IOException {
    return copyIfAbsent(source, name);
  }

  /**
   * The same for a name that nobody else gives, so that it need not be asked whether it is taken.
   * To repeat it does no harm.
   */
  default void copyNew(String source, String name) throws IOException {
    copyIfAbsent(source, name);
  }

  /**
   * How far this machine's clock is ahead of the store's, to a second or so; empty where both are
   * one.
   */
  default Optional<Duration> clockAhead() throws IOException {
    return Optional.empty();
  }

  /** Deletes files, as far as they are there. */
  void delete(Collection<String> names) throws IOException;

  /** Deletes everything in a folder, at any depth. */
  void deleteFolder(String folder) throws IOException;

  /**
   * Makes a file, unless there is something of its name.
   *
   * @return false if there was
   */
  default boolean createIfAbsent(String name, byte[] content) throws IOException {
    try (Draft draft = draft(name)) {
      ByteBuffer buffer = ByteBuffer.wrap(content);
      while (buffer.hasRemaining()) {
        draft.channel().write(buffer);
      }
      return draft.publish();
    }
  }

  /**
   * The whole content of a small file.
   *
   * @throws java.nio.file.NoSuchFileException if there is none
   */
  default byte[] content(String name) throws IOException {
    try (InputStream in = Channels.newInputStream(read(name))) {
      return in.readAllBytes();
    }
  }
}
