package io.turnkeeper.worker.work;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.ipc.ArrowStreamWriter;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.Schema;

/** A complete stream whose columns are those of no table here. */
final class OtherSchema {
  private OtherSchema() {}

  static Path write(Path path, BufferAllocator allocator) throws IOException {
    Schema schema = new Schema(List.of(Field.nullable("other", new ArrowType.Int(32, true))));
    try (VectorSchemaRoot root = VectorSchemaRoot.create(schema, allocator);
        FileChannel channel =
            FileChannel.open(path, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        ArrowStreamWriter writer = new ArrowStreamWriter(root, null, channel)) {
      writer.start();
      root.allocateNew();
      root.setRowCount(3);
      writer.writeBatch();
      writer.end();
    }
    return path;
  }
}
