package io.turnkeeper.local.demo;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.ipc.ArrowStreamWriter;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.Schema;

/** A good Arrow stream that belongs to another table. */
final class OtherSchema {
  private OtherSchema() {}

  static byte[] stream(BufferAllocator allocator) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    Schema schema = new Schema(List.of(Field.nullable("price", new ArrowType.Int(64, true))));
    try (VectorSchemaRoot root = VectorSchemaRoot.create(schema, allocator);
        ArrowStreamWriter writer = new ArrowStreamWriter(root, null, bytes)) {
      ((BigIntVector) root.getVector("price")).setSafe(0, 7);
      root.setRowCount(1);
      writer.writeBatch();
      writer.end();
    }
    return bytes.toByteArray();
  }
}
