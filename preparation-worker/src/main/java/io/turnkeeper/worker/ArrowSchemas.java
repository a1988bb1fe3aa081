package io.turnkeeper.worker;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.ipc.ArrowFileReader;
import org.apache.arrow.vector.ipc.ArrowStreamReader;
import org.apache.arrow.vector.types.pojo.Schema;

/** The columns of an Arrow file, in either of Arrow's two formats. */
public final class ArrowSchemas {
  /** The first bytes of Arrow's file format. */
  private static final byte[] FILE_MAGIC = "ARROW1".getBytes(StandardCharsets.US_ASCII);

  /** What every message of a stream begins with. */
  private static final int STREAM_MARK = -1;

  private ArrowSchemas() {}

  /**
   * Reads the schema.
   *
   * @throws ConfigException if the file cannot be read or is not Arrow
   */
  public static Schema of(Path file, BufferAllocator allocator) {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      // Looked at first: a reader of streams takes foreign bytes for a length and allocates it.
      ByteBuffer start = ByteBuffer.allocate(FILE_MAGIC.length);
      while (start.hasRemaining() && channel.read(start) >= 0) {
        // Until the start is there or the file ends.
      }
      channel.position(0);
      if (Arrays.equals(start.array(), FILE_MAGIC)) {
        return file(channel, allocator);
      }
      if (start.getInt(0) != STREAM_MARK) {
        throw new IOException("it begins with neither");
      }
      return stream(channel, allocator);
    } catch (IOException | RuntimeException e) {
      throw new ConfigException("schema-from", file.toString(), "an Arrow file or stream", e);
    }
  }

  private static Schema stream(FileChannel channel, BufferAllocator allocator)
      throws IOException {
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
