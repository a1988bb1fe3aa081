package io.turnkeeper.events.storage;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** A file under a temporary name, beside the one it will have. */
final class LocalDraft implements Draft {
  private enum Content {
    OPEN,
    DURABLE,
    LOST
  }

  private final Path temporary;
  private final Path target;
  private final FileChannel channel;
  private Content content = Content.OPEN;

  LocalDraft(Path temporary, Path target) throws IOException {
    this.temporary = temporary;
    this.target = target;
    this.channel =
        FileChannel.open(temporary, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
  }

  @Override
  public SeekableByteChannel channel() {
    return channel;
  }

  @Override
  public boolean publish() throws IOException {
    makeDurable();
    boolean created = link();
    // Also a name that was there: whoever gave it may not have come to this.
    LocalStorage.sync(LocalStorage.directoryOf(target));
    return created;
  }

  /** Not tried twice: after a failed sync the system may have forgotten what it did not write. */
  private void makeDurable() throws IOException {
    if (content == Content.LOST) {
      throw new IOException("expected " + temporary + " to be whole, but a sync of it failed");
    }
    if (content == Content.OPEN) {
      content = Content.LOST;
      channel.force(true);
      channel.close();
      content = Content.DURABLE;
    }
  }

  private boolean link() throws IOException {
    try {
      return LocalStorage.link(temporary, target);
    } catch (NoSuchFileException e) {
      return false;
    }
  }

  @Override
  public void close() throws IOException {
    channel.close();
    Files.deleteIfExists(temporary);
  }
}
