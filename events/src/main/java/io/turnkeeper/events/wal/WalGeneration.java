package io.turnkeeper.events.wal;

import io.turnkeeper.events.storage.Storage;
import io.turnkeeper.events.storage.StoredFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.SeekableByteChannel;
import java.util.OptionalLong;
import org.apache.arrow.flatbuf.MessageHeader;
import org.apache.arrow.flatbuf.RecordBatch;
import org.apache.arrow.vector.ipc.ReadChannel;
import org.apache.arrow.vector.ipc.message.MessageMetadataResult;
import org.apache.arrow.vector.ipc.message.MessageSerializer;
import org.apache.arrow.vector.types.pojo.Schema;
import org.jspecify.annotations.Nullable;

/**
 * What one sealed generation says of itself, read without its data.
 *
 * @param schema null if the file is not Arrow
 */
record WalGeneration(Storage log, StoredFile file, @Nullable Schema schema) {

  private static final int PREFIX_BYTES = 8;
  private static final int CONTINUATION = -1;

  static WalGeneration read(Storage log, StoredFile file) throws IOException {
    return new WalGeneration(log, file, schemaOf(log, file));
  }

  private static @Nullable Schema schemaOf(Storage log, StoredFile file) throws IOException {
    try (SeekableByteChannel channel = log.read(file.name())) {
      return isAtMessage(channel)
          ? MessageSerializer.deserializeSchema(new ReadChannel(channel))
          : null;
    } catch (RuntimeException e) {
      // Not Arrow. Whoever merges it refuses it by its name; here only its size counts.
      return null;
    }
  }

  /** Looks at the length of the next message before anybody allocates it. */
  private static boolean isAtMessage(SeekableByteChannel channel) throws IOException {
    ByteBuffer prefix = ByteBuffer.allocate(PREFIX_BYTES).order(ByteOrder.LITTLE_ENDIAN);
    long position = channel.position();
    int read = new ReadChannel(channel).readFully(prefix);
    channel.position(position);
    if (read < PREFIX_BYTES || prefix.getInt(0) != CONTINUATION) {
      return false;
    }
    int length = prefix.getInt(Integer.BYTES);
    return length > 0 && length <= channel.size() - channel.position() - PREFIX_BYTES;
  }

  OptionalLong number(String key) {
    return schema == null ? OptionalLong.empty() : WalMetadata.number(schema, key);
  }

  String text(String key) {
    return schema == null ? "" : schema.getCustomMetadata().getOrDefault(key, "");
  }

  /** Counts the rows by the headers of the batches, as far as the file is Arrow. */
  long countRows() throws IOException {
    long rows = 0;
    try (SeekableByteChannel channel = log.read(file.name())) {
      ReadChannel in = new ReadChannel(channel);
      while (isAtMessage(channel)) {
        MessageMetadataResult next = MessageSerializer.readMessage(in);
        if (next.getMessage().headerType() == MessageHeader.RecordBatch) {
          RecordBatch batch = (RecordBatch) next.getMessage().header(new RecordBatch());
          rows += batch == null ? 0 : Math.max(0, batch.length());
        }
        channel.position(channel.position() + Math.max(0, next.getMessageBodyLength()));
      }
    } catch (RuntimeException e) {
      return rows; // The rest is not Arrow.
    }
    return rows;
  }
}
