package io.turnkeeper.worker.wal;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.NoSuchFileException;
import org.apache.arrow.flatbuf.Message;
import org.apache.arrow.flatbuf.MessageHeader;

/**
 * Walks the messages of a stream without reading their bodies. A reader of Arrow takes the end of
 * the file for the end of the stream, so a cut file would pass for a shorter one; here only the
 * end-of-stream marker at the very end counts.
 */
final class StreamStructure {
  private static final int CONTINUATION = 0xFFFFFFFF;
  private static final int MAX_METADATA_BYTES = 64 << 20;
  private static final int PREFIX_BYTES = 8;

  private final GenerationFile file;
  private final SeekableByteChannel channel;
  private final long size;
  private long position;
  private long rows;
  private long batches;
  private boolean schemaSeen;

  private StreamStructure(GenerationFile file, SeekableByteChannel channel) throws IOException {
    this.file = file;
    this.channel = channel;
    this.size = channel.size();
  }

  static GenerationSize check(GenerationFile file) throws InvalidWalException, IOException {
    try (SeekableByteChannel channel = file.log().read(file.name())) {
      return new StreamStructure(file, channel).walk();
    } catch (NoSuchFileException e) {
      throw new InvalidWalException(file, "the file is missing", e);
    } catch (RuntimeException e) {
      // The metadata is a flat buffer without a checksum: damaged offsets run out of its bounds.
      throw new InvalidWalException(file, "its metadata is damaged: " + e, e);
    }
  }

  private GenerationSize walk() throws InvalidWalException, IOException {
    if (size == 0) {
      throw invalid("the file is empty");
    }
    while (true) {
      ByteBuffer prefix = read(PREFIX_BYTES, "the end-of-stream marker is missing");
      int continuation = prefix.getInt();
      if (continuation != CONTINUATION) {
        throw invalid(
            "it is not one: the bytes at "
                + position
                + " are "
                + "0x%08x".formatted(Integer.reverseBytes(continuation)));
      }
      int metadataBytes = prefix.getInt();
      if (metadataBytes == 0) {
        return finished();
      }
      message(metadataBytes);
    }
  }

  private GenerationSize finished() throws InvalidWalException {
    if (position + PREFIX_BYTES != size) {
      throw invalid((size - position - PREFIX_BYTES) + " bytes follow the end-of-stream marker");
    }
    if (!schemaSeen) {
      throw invalid("it has no schema");
    }
    return new GenerationSize(size, rows, batches);
  }

  private void message(int metadataBytes) throws InvalidWalException, IOException {
    if (metadataBytes < 0 || metadataBytes > MAX_METADATA_BYTES) {
      throw invalid("a message at " + position + " claims " + metadataBytes + " bytes of metadata");
    }
    position += PREFIX_BYTES;
    Message message = Message.getRootAsMessage(read(metadataBytes, "a message is cut off"));
    position += metadataBytes;
    switch (message.headerType()) {
      case MessageHeader.Schema -> schemaSeen = true;
      case MessageHeader.RecordBatch -> batch(message);
      case MessageHeader.DictionaryBatch ->
          throw invalid("dictionary-encoded columns are not supported");
      default -> throw invalid("a message has the unknown type " + message.headerType());
    }
    long body = message.bodyLength();
    if (body < 0 || body > size - position) {
      throw invalid("it is truncated: a body of " + body + " bytes at " + position + " of " + size);
    }
    position += body;
  }

  private void batch(Message message) throws InvalidWalException {
    if (!schemaSeen) {
      throw invalid("a batch comes before the schema");
    }
    String fault = BatchMetadata.fault(message);
    if (fault != null) {
      throw invalid("the batch at " + position + " " + fault);
    }
    rows += BatchMetadata.rows(message);
    batches++;
  }

  private ByteBuffer read(int bytes, String why) throws InvalidWalException, IOException {
    if (bytes > size - position) {
      throw invalid("it is truncated: " + why + " (" + size + " bytes in all)");
    }
    ByteBuffer buffer = ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
    channel.position(position);
    while (buffer.hasRemaining()) {
      if (channel.read(buffer) < 0) {
        throw invalid("it shrank while it was read");
      }
    }
    return buffer.flip();
  }

  private InvalidWalException invalid(String reason) {
    return new InvalidWalException(file, reason);
  }
}
