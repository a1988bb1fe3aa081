package io.turnkeeper.worker;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.ipc.ArrowFileReader;
import org.apache.arrow.vector.ipc.ArrowStreamReader;
import org.apache.arrow.vector.types.pojo.Schema;

/** The columns of an Arrow file, in either of Arrow's two formats. */
public final class ArrowSchemas {
  private static final int PREFIX_BYTES = 8;
  private static final int CONTINUATION = -1;

  private ArrowSchemas() {}

  /**
   * Reads the schema.
   *
   * @throws ConfigException if the file cannot be read or is not Arrow
   */
  public static Schema of(Path file, BufferAllocator allocator) {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      return isStream(channel) ? stream(channel, allocator) : file(channel, allocator);
    } catch (IOException | RuntimeException e) {
      throw new ConfigException("schema-from", file.toString(), "an Arrow file", e);
    }
  }

  /** Arrow allocates whatever length it reads, so that of anything else must not come so far. */
  private static boolean isStream(FileChannel channel) throws IOException {
    ByteBuffer prefix = ByteBuffer.allocate(PREFIX_BYTES).order(ByteOrder.LITTLE_ENDIAN);
    if (channel.read(prefix, 0) < PREFIX_BYTES || prefix.getInt(0) != CONTINUATION) {
      return false;
    }
    int length = prefix.getInt(Integer.BYTES);
    return length > 0 && length <= channel.size() - PREFIX_BYTES;
  }

  private static Schema stream(FileChannel channel, BufferAllocator allocator) throws IOException {
    try (ArrowStreamReader reader = new ArrowStreamReader(channel, allocator)) {
      return reader.getVectorSchemaRoot().getSchema();
    }
  }

  private static Schema file(FileChannel channel, BufferAllocator allocator) throws IOException {
    try (ArrowFileReader reader = new ArrowFileReader(channel, allocator)) {
      return reader.getVectorSchemaRoot().getSchema();
    }
  }
}
