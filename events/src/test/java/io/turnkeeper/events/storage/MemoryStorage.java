package io.turnkeeper.events.storage;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentSkipListMap;

/** A storage in memory, which like an object store has no folders and keeps drafts to itself. */
public final class MemoryStorage implements Storage {
  private final NavigableMap<String, byte[]> files = new ConcurrentSkipListMap<>();
  private final String location;

  public MemoryStorage(String location) {
    this.location = location;
  }

  @Override
  public String location() {
    return location;
  }

  @Override
  public String key() {
    return location.substring(1);
  }

  @Override
  public Listing list(String folder) {
    List<StoredFile> direct = new ArrayList<>();
    SortedSet<String> folders = new TreeSet<>();
    files.forEach(
        (name, content) -> {
          int slash = name.indexOf('/', folder.length());
          if (name.startsWith(folder) && slash < 0) {
            direct.add(new StoredFile(name, content.length, 0));
          } else if (name.startsWith(folder)) {
            folders.add(name.substring(0, slash + 1));
          }
        });
    return new Listing(direct, List.copyOf(folders));
  }

  @Override
  public Optional<StoredFile> stat(String name) {
    return Optional.ofNullable(files.get(name))
        .map(content -> new StoredFile(name, content.length, 0));
  }

  @Override
  public SeekableByteChannel read(String name) throws IOException {
    FileChannel channel = temporary();
    channel.write(ByteBuffer.wrap(content(name)));
    return channel.position(0);
  }

  @Override
  public byte[] content(String name) throws IOException {
    byte[] content = files.get(name);
    if (content == null) {
      throw new NoSuchFileException(name);
    }
    return content;
  }

  /** Puts content there, whatever was there before. */
  public void put(String name, byte[] content) {
    files.put(name, content);
  }

  @Override
  public Draft draft(String name) throws IOException {
    FileChannel channel = temporary();
    return new Draft() {
      @Override
      public SeekableByteChannel channel() {
        return channel;
      }

      @Override
      public boolean publish() throws IOException {
        byte[] content =
            Channels.newInputStream(channel.position(0)).readNBytes((int) channel.size());
        return files.putIfAbsent(name, content) == null;
      }

      @Override
      public void close() throws IOException {
        channel.close();
      }
    };
  }

  private static FileChannel temporary() throws IOException {
    return FileChannel.open(
        Files.createTempFile("turnkeeper-memory-", ""),
        StandardOpenOption.READ,
        StandardOpenOption.WRITE,
        StandardOpenOption.DELETE_ON_CLOSE);
  }

  @Override
  public boolean copyIfAbsent(String source, String name) throws IOException {
    return files.putIfAbsent(name, content(source)) == null;
  }

  @Override
  public void delete(Collection<String> names) {
    names.forEach(files::remove);
  }

  @Override
  public void deleteFolder(String folder) {
    files.keySet().removeIf(name -> name.startsWith(folder));
  }
}
