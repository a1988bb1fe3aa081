package io.turnkeeper.events.storage;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.channels.FileChannel;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A directory of a local file system. A name is taken by a hard link, which fails if it is in use;
 * renaming would silently replace what is there.
 */
public record LocalStorage(Path root) implements Storage {
  /** What its URIs begin with, up to the colon. */
  public static final String SCHEME = "file";

  private static final Pattern OTHER_SCHEME = Pattern.compile("[a-zA-Z][a-zA-Z0-9+.-]*://.*");

  public LocalStorage {
    root = root.toAbsolutePath().normalize();
  }

  /**
   * The storage in the directory {@code uri}.
   *
   * @throws IllegalArgumentException saying what is wrong with it
   */
  public static LocalStorage at(String uri) {
    return new LocalStorage(path(uri));
  }

  /** The path that is meant by {@code uri}: only in a {@code file:} URI are percents escapes. */
  public static Path path(String uri) {
    if (uri.startsWith(SCHEME + ":")) {
      return Path.of(URI.create(uri));
    }
    if (OTHER_SCHEME.matcher(uri).matches()) {
      throw new IllegalArgumentException(
          "expected a local path or a file: URI, but it is '" + uri + "'");
    }
    return Path.of(uri);
  }

  @Override
  public String location() {
    return root.toString();
  }

  @Override
  public String key() {
    return location().substring(1);
  }

  /** Where a file lies, for what only a file system can do. */
  public Path file(String name) {
    Path file = root.resolve(name).normalize();
    if (!file.startsWith(root)) {
      throw new IllegalArgumentException("expected a name below " + root + ", but it is " + name);
    }
    return file;
  }

  @Override
  public Listing list(String folder) throws IOException {
    List<StoredFile> files = new ArrayList<>();
    List<String> folders = new ArrayList<>();
    try (Stream<Path> entries = Files.list(file(folder))) {
      for (Path entry : (Iterable<Path>) entries.sorted()::iterator) {
        String name = folder + entry.getFileName();
        BasicFileAttributes attributes = attributes(entry);
        if (attributes != null && attributes.isDirectory()) {
          folders.add(name + "/");
        } else if (attributes != null) {
          files.add(stored(name, attributes));
        }
      }
    } catch (NoSuchFileException | NotDirectoryException e) {
      return Listing.EMPTY;
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
    return new Listing(files, folders);
  }

  @Override
  public Optional<StoredFile> stat(String name) throws IOException {
    BasicFileAttributes attributes = attributes(file(name));
    return attributes == null || attributes.isDirectory()
        ? Optional.empty()
        : Optional.of(stored(name, attributes));
  }

  /** Null for what is not there, or was deleted while it was looked at. */
  private static @Nullable BasicFileAttributes attributes(Path file) throws IOException {
    try {
      return Files.readAttributes(file, BasicFileAttributes.class);
    } catch (NoSuchFileException e) {
      return null;
    }
  }

  private static StoredFile stored(String name, BasicFileAttributes attributes) {
    return new StoredFile(name, attributes.size(), attributes.lastModifiedTime().toMillis());
  }

  @Override
  public SeekableByteChannel read(String name) throws IOException {
    return FileChannel.open(file(name), StandardOpenOption.READ);
  }

  @Override
  public Draft draft(String name) throws IOException {
    Path target = file(name);
    makeDurably(directoryOf(target));
    Path temporary =
        target.resolveSibling(target.getFileName() + "." + UUID.randomUUID() + DRAFT_SUFFIX);
    return new LocalDraft(temporary, target);
  }

  @Override
  public boolean copyIfAbsent(String source, String name) throws IOException {
    Path target = file(name);
    makeDurably(directoryOf(target));
    sync(file(source));
    boolean created = link(file(source), target);
    // Also a name that was there: whoever gave it may have died before he came to this.
    sync(directoryOf(target));
    return created;
  }

  /** Gives a file another name, unless that is taken. */
  static boolean link(Path source, Path target) throws IOException {
    try {
      Files.createLink(target, source);
      return true;
    } catch (FileAlreadyExistsException e) {
      return false;
    }
  }

  @Override
  public void delete(Collection<String> names) throws IOException {
    for (String name : names) {
      Files.deleteIfExists(file(name));
    }
  }

  /** Links are deleted, not followed. */
  @Override
  public void deleteFolder(String folder) throws IOException {
    Path directory = file(folder);
    if (!Files.isDirectory(directory)) {
      return;
    }
    Files.walkFileTree(
        directory,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            Files.deleteIfExists(file);
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult postVisitDirectory(Path visited, @Nullable IOException failure)
              throws IOException {
            if (failure != null) {
              throw failure;
            }
            Files.deleteIfExists(visited);
            return FileVisitResult.CONTINUE;
          }
        });
  }

  private static void makeDurably(Path directory) throws IOException {
    if (!Files.isDirectory(directory)) {
      Path parent = directoryOf(directory);
      makeDurably(parent);
      Files.createDirectories(directory);
      sync(parent);
    }
  }

  static Path directoryOf(Path file) {
    Path directory = file.getParent();
    if (directory == null) {
      throw new IllegalArgumentException("expected a place below the root, but it is " + file);
    }
    return directory;
  }

  /** Makes the names in a directory, or the content of a file, outlive a loss of power. */
  public static void sync(Path path) throws IOException {
    try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
      channel.force(true);
    }
  }
}
