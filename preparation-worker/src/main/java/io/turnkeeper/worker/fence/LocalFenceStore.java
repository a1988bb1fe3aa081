package io.turnkeeper.worker.fence;

import io.turnkeeper.authority.Manifest;
import io.turnkeeper.worker.authority.Sha256;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Manifests on a local file system. A name is taken by a hard link, which fails if it is in use;
 * renaming would silently replace what is there.
 */
final class LocalFenceStore implements FenceStore {
  private final Path root;

  LocalFenceStore(Path root) {
    this.root = root;
  }

  @Override
  public Manifest keep(String staged, String path) throws IOException {
    byte[] bytes = Files.readAllBytes(root.resolve(staged));
    Path target = root.resolve(path);
    Path directory = directoryOf(target);
    if (!Files.isDirectory(directory)) {
      Files.createDirectories(directory);
      sync(root);
    }
    try (FileChannel channel =
        FileChannel.open(target, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
      ByteBuffer buffer = ByteBuffer.wrap(bytes);
      while (buffer.hasRemaining()) {
        channel.write(buffer);
      }
      channel.force(true);
    }
    sync(directory);
    return new Manifest(path, bytes.length, Sha256.hex(bytes));
  }

  @Override
  public boolean createExclusively(String path, Manifest manifest) throws IOException {
    Path target = root.resolve(path);
    boolean created = true;
    try {
      Files.createLink(target, root.resolve(manifest.path()));
    } catch (FileAlreadyExistsException e) {
      created = false;
    }
    // Also for a name that somebody else took: he may have died before he synced it.
    sync(directoryOf(target));
    return created;
  }

  @Override
  public Optional<Manifest> read(String path) throws IOException {
    try {
      byte[] bytes = Files.readAllBytes(root.resolve(path));
      return bytes.length == 0
          ? Optional.empty()
          : Optional.of(new Manifest(path, bytes.length, Sha256.hex(bytes)));
    } catch (NoSuchFileException e) {
      return Optional.empty();
    }
  }

  @Override
  public boolean exists(String path) {
    return Files.exists(root.resolve(path));
  }

  @Override
  public long sizeBytes(String path) throws IOException {
    return Files.size(root.resolve(path));
  }

  @Override
  public List<String> list(String directory) throws IOException {
    try (Stream<Path> files = Files.list(root.resolve(directory))) {
      return files.map(file -> directory + file.getFileName()).toList();
    } catch (NoSuchFileException e) {
      return List.of();
    }
  }

  @Override
  public void delete(String path) throws IOException {
    Files.deleteIfExists(root.resolve(path));
  }

  @Override
  public String lancePath(String path) {
    return location().substring(1) + "/" + path;
  }

  @Override
  public String location() {
    return root.toString();
  }

  private static Path directoryOf(Path file) {
    Path directory = file.getParent();
    if (directory == null) {
      throw new IllegalStateException("expected a file below a table, but it is " + file);
    }
    return directory;
  }

  private static void sync(Path directory) throws IOException {
    try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
      channel.force(true);
    }
  }
}
