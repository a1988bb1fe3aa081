package io.turnkeeper.storage.s3;

import io.turnkeeper.events.storage.Draft;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * A draft in a temporary file, since it is written in any order and an object is not. It becomes an
 * object by one put, however large: no store that was tried keeps a condition on the end of an
 * upload in parts.
 */
final class SpooledDraft implements Draft {
  private static final int BUFFER_BYTES = 64 << 10;

  private final ConditionalPut puts;
  private final String name;
  private final String token = ConditionalPut.newToken();
  private final Path spool;
  private final FileChannel channel;
  private boolean answered;

  SpooledDraft(ConditionalPut puts, String name) throws IOException {
    this.puts = puts;
    this.name = name;
    this.spool = Files.createTempFile("turnkeeper-draft-", "");
    this.channel = FileChannel.open(spool, StandardOpenOption.READ, StandardOpenOption.WRITE);
  }

  @Override
  public SeekableByteChannel channel() {
    return channel;
  }

  /** Writes all of {@code content}. */
  void fill(ReadableByteChannel content) throws IOException {
    ByteBuffer buffer = ByteBuffer.allocate(BUFFER_BYTES);
    while (content.read(buffer) >= 0) {
      buffer.flip();
      while (buffer.hasRemaining()) {
        channel.write(buffer);
      }
      buffer.clear();
    }
  }

  @Override
  public boolean publish() throws IOException {
    if (answered) {
      return false;
    }
    boolean mine = puts.put(name, spool, channel.size(), token);
    answered = true;
    return mine;
  }

  @Override
  public void close() throws IOException {
    channel.close();
    Files.deleteIfExists(spool);
  }
}
