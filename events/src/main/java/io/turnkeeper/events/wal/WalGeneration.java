package io.turnkeeper.events.wal;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
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
 * @param bytes the size of its file
 * @param schema null if the file is not Arrow
 */
record WalGeneration(Path file, long bytes, long modifiedMillis, @Nullable Schema schema) {

  private static final int PREFIX_BYTES = 8;
  private static final int CONTINUATION = -1;

  static WalGeneration read(Path file) throws IOException {
    return new WalGeneration(
        file, Files.size(file), Files.getLastModifiedTime(file).toMillis(), schemaOf(file));
  }

  private static @Nullable Schema schemaOf(Path file) throws IOException {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      return isAtMessage(channel)
          ? MessageSerializer.deserializeSchema(new ReadChannel(channel))
          : null;
    } catch (RuntimeException e) {
      // Not Arrow. Whoever merges it refuses it by its name; here only its size counts.
      return null;
    }
  }

  /** Looks at the length of the next message before anybody allocates it. */
  private static boolean isAtMessage(FileChannel channel) throws IOException {
    ByteBuffer prefix = ByteBuffer.allocate(PREFIX_BYTES).order(ByteOrder.LITTLE_ENDIAN);
    int read = channel.read(prefix, channel.position());
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
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
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
