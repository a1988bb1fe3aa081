package io.turnkeeper.storage.s3;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.NonWritableChannelException;
import java.nio.channels.SeekableByteChannel;

/**
 * Reads an object in parts, which grow as long as it is read from front to back: what looks at a
 * header does not pay for the rest, and what reads everything asks seldom.
 */
final class ObjectChannel implements SeekableByteChannel {
  private static final int FIRST_BYTES = 64 << 10;

  /** The most memory a channel takes. */
  static final int MAX_BYTES = 4 << 20;

  private final ObjectReader object;
  private final long size;
  private ByteBuffer part;
  private long partBegins;
  private long position;
  private boolean open = true;

  private ObjectChannel(ObjectReader object, ObjectReader.Part first) {
    this.object = object;
    this.size = first.objectBytes();
    this.part = first.content();
  }

  static ObjectChannel open(ObjectReader object) throws IOException {
    return new ObjectChannel(object, object.part(0, FIRST_BYTES));
  }

  @Override
  public int read(ByteBuffer target) throws IOException {
    requireOpen();
    if (position >= size) {
      return -1;
    }
    if (!target.hasRemaining()) {
      return 0;
    }
    if (position < partBegins || position >= partBegins + part.limit()) {
      fetch();
    }
    int from = (int) (position - partBegins);
    int count = Math.min(target.remaining(), part.limit() - from);
    target.put(target.position(), part, from, count).position(target.position() + count);
    position += count;
    return count;
  }

  private void fetch() throws IOException {
    boolean goesOn = position == partBegins + part.limit();
    int bytes = goesOn ? Math.min(MAX_BYTES, 2 * Math.max(part.limit(), FIRST_BYTES)) : FIRST_BYTES;
    ObjectReader.Part next = object.part(position, (int) Math.min(bytes, size - position));
    if (next.objectBytes() != size || next.content().limit() == 0) {
      throw object.unexpected(
          "expected an object of " + size + " bytes, but it has " + next.objectBytes());
    }
    part = next.content();
    partBegins = position;
  }

  @Override
  public long position() throws IOException {
    requireOpen();
    return position;
  }

  @Override
  public SeekableByteChannel position(long newPosition) throws IOException {
    requireOpen();
    if (newPosition < 0) {
      throw new IllegalArgumentException("expected a position from 0 on, but " + newPosition);
    }
    position = newPosition;
    return this;
  }

  @Override
  public long size() throws IOException {
    requireOpen();
    return size;
  }

  @Override
  public int write(ByteBuffer source) {
    throw new NonWritableChannelException();
  }

  @Override
  public SeekableByteChannel truncate(long newSize) {
    throw new NonWritableChannelException();
  }

  private void requireOpen() throws ClosedChannelException {
    if (!open) {
      throw new ClosedChannelException();
    }
  }

  @Override
  public boolean isOpen() {
    return open;
  }

  @Override
  public void close() {
    open = false;
    part = ByteBuffer.allocate(0);
  }
}
