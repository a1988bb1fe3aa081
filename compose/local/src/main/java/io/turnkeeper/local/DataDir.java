package io.turnkeeper.local;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The directory that one local installation owns while it runs, held by a lock file. */
public final class DataDir implements AutoCloseable {
  private final Path root;
  private final FileChannel lockFile;

  private DataDir(Path root, FileChannel lockFile) {
    this.root = root;
    this.lockFile = lockFile;
  }

  /**
   * Creates the directory if it is missing and locks it.
   *
   * @throws ConfigException if another process holds it or it cannot be written
   */
  public static DataDir open(Path directory) {
    Path root = directory.toAbsolutePath().normalize();
    try {
      Files.createDirectories(root);
      FileChannel channel =
          FileChannel.open(
              root.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
      if (lock(channel) == null) {
        channel.close();
        throw new ConfigException(
            "data directory " + root + " is in use by another process; stop it or use --data-dir");
      }
      return new DataDir(root, channel);
    } catch (IOException e) {
      throw new ConfigException("cannot use data directory " + root + ": " + e, e);
    }
  }

  // The lock is the operating system's: it is gone with the process, however that ends.
  private static @Nullable FileLock lock(FileChannel channel) throws IOException {
    try {
      return channel.tryLock();
    } catch (OverlappingFileLockException e) {
      return null;
    }
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

  public Path tables() {
    return root.resolve("tables");
  }

  public Path ports() {
    return root.resolve("ports.properties");
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
