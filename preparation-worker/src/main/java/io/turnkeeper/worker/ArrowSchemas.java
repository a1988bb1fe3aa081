package io.turnkeeper.worker;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.ipc.ArrowFileReader;
import org.apache.arrow.vector.ipc.ArrowStreamReader;
import org.apache.arrow.vector.types.pojo.Schema;

/** The columns of an Arrow file, in either of Arrow's two formats. */
public final class ArrowSchemas {
  private ArrowSchemas() {}

  /**
   * Reads the schema.
   *
   * @throws ConfigException if the file cannot be read or is not Arrow
   */
  public static Schema of(Path file, BufferAllocator allocator) {
    try {
      return stream(file, allocator);
    } catch (IOException | RuntimeException notAStream) {
      try {
        return file(file, allocator);
      } catch (IOException | RuntimeException e) {
        e.addSuppressed(notAStream);
        throw new ConfigException("schema-from", file.toString(), "an Arrow file", e);
      }
    }
  }

  private static Schema stream(Path file, BufferAllocator allocator) throws IOException {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ);
        ArrowStreamReader reader = new ArrowStreamReader(channel, allocator)) {
      return reader.getVectorSchemaRoot().getSchema();
    }
  }

  private static Schema file(Path file, BufferAllocator allocator) throws IOException {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ);
        ArrowFileReader reader = new ArrowFileReader(channel, allocator)) {
      return reader.getVectorSchemaRoot().getSchema();
    }
  }
}
