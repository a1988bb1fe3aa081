package io.turnkeeper.local;

import io.turnkeeper.streams.read.ServerOptions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The directory that one local installation owns while it runs, held by a lock file. */
public final class DataDir implements AutoCloseable {
  private static final String MARKER = "purpose";
  private static final String LOCK = "lock";
  private static final Set<String> KEPT = Set.of(MARKER, LOCK);

  private final Path root;
  private final FileChannel lockFile;

  private DataDir(Path root, FileChannel lockFile) {
    this.root = root;
    this.lockFile = lockFile;
  }

  /**
   * Creates the directory if it is missing and locks it. It is kept from now on, also if it was
   * made by {@link #openFresh}.
   *
   * @throws ConfigException if another process holds it or it cannot be written
   */
  public static DataDir open(Path directory) {
    DataDir opened = lock(directory);
    try {
      Files.deleteIfExists(opened.root.resolve(MARKER));
      return opened;
    } catch (IOException e) {
      opened.close();
      throw unusable(directory, e);
    }
  }

  private static DataDir lock(Path directory) {
    if (directory.toString().contains(",")) {
      // Kafka reads a list of directories.
      throw new ConfigException("expected a data directory without ',', but it is " + directory);
    }
    if (Files.exists(directory) && !Files.isDirectory(directory)) {
      throw new ConfigException("expected a data directory, but " + directory + " is a file");
    }
    try {
      Files.createDirectories(directory);
      // One directory has one name here, whatever links lead to it.
      Path root = directory.toRealPath();
      FileChannel channel =
          FileChannel.open(root.resolve(LOCK), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
      if (lock(channel) == null) {
        channel.close();
        throw new ConfigException(
            "data directory " + root + " is in use by another process; stop it or use --data-dir");
      }
      return new DataDir(root, channel);
    } catch (IOException e) {
      throw unusable(directory, e);
    }
  }

  private static ConfigException unusable(Path directory, IOException e) {
    String why = e instanceof AccessDeniedException ? "permission denied" : e.toString();
    return new ConfigException("cannot use data directory " + directory + ": " + why, e);
  }

  // The lock is the operating system's: it is gone with the process, however that ends.
  private static @Nullable FileLock lock(FileChannel channel) throws IOException {
    try {
      return channel.tryLock();
    } catch (OverlappingFileLockException e) {
      return null;
    }
  }

  /**
   * Opens the directory empty: what an earlier run of the same {@code purpose} left is removed.
   *
   * @throws ConfigException if it holds anything else, or is in use
   */
  public static DataDir openFresh(Path directory, String purpose) {
    // Looked at before it is locked, which would leave a file in it.
    requireFree(directory, purpose);
    DataDir opened = lock(directory);
    try {
      requireFree(opened.root, purpose);
      // Marked first: a start that is cut short leaves a directory that can be cleared.
      Files.writeString(opened.root.resolve(MARKER), purpose);
      opened.clear();
      return opened;
    } catch (IOException e) {
      opened.close();
      throw new ConfigException("cannot clear " + opened.root + ": " + e, e);
    } catch (ConfigException e) {
      opened.close();
      throw e;
    }
  }

  private static void requireFree(Path directory, String purpose) {
    if (!Files.isDirectory(directory)) {
      return;
    }
    Path marker = directory.resolve(MARKER);
    try (Stream<Path> content = Files.list(directory)) {
      if (content.allMatch(file -> file.endsWith(LOCK))
          || (Files.exists(marker) && Files.readString(marker).equals(purpose))) {
        return;
      }
    } catch (IOException e) {
      throw unusable(directory, e);
    }
    throw new ConfigException(
        "expected an empty directory or one of an earlier "
            + purpose
            + ", but "
            + directory
            + " is neither; remove it or use --data-dir");
  }

  private void clear() throws IOException {
    List<Path> content;
    try (Stream<Path> files = Files.list(root)) {
      content = files.filter(file -> !KEPT.contains(file.getFileName().toString())).toList();
    }
    for (Path file : content) {
      Trees.delete(file);
    }
  }

  /** From here on this process logs into the directory. */
  public void logHere() {
    Logs.into(logs(), "turnkeeper.log");
  }

  public Path root() {
    return root;
  }

  public Path kafka() {
    return root.resolve("kafka");
  }

  public Path etcd() {
    return root.resolve("etcd");
  }

  public Path streams() {
    return root.resolve("streams");
  }

  public Path logs() {
    return root.resolve("logs");
  }

  public Path ports() {
    return root.resolve(ServerOptions.PORTS_FILE);
  }

  /**
   * The name of this installation, the same at every start: with it the group coordinator lets a
   * restarted instance back in at once instead of waiting for the old one's session to end.
   */
  public String instanceId() {
    Path file = root.resolve("instance-id");
    try {
      if (!Files.exists(file)) {
        Files.writeString(file, UUID.randomUUID().toString().substring(0, 8));
      }
      return "local-" + Files.readString(file).strip();
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read or write " + file, e);
    }
  }

  @Override
  public void close() {
    try {
      lockFile.close();
    } catch (IOException e) {
      throw new UncheckedIOException("cannot release " + root, e);
    }
  }
}
