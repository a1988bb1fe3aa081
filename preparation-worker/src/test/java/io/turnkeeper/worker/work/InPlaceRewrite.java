package io.turnkeeper.worker.work;

import io.turnkeeper.worker.wal.Generations;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.nio.channels.Channels;
import java.util.List;
import org.apache.arrow.c.ArrowArrayStream;
import org.apache.arrow.c.Data;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.ipc.ArrowStreamReader;
import org.apache.arrow.vector.ipc.ArrowStreamWriter;
import org.lance.Dataset;
import org.lance.fragment.FragmentUpdateResult;
import org.lance.operation.Update;

/** Rewrites the column {@code id} of the first fragment into another file, as an upsert can. */
final class InPlaceRewrite {
  private InPlaceRewrite() {}

  static void ofIds(LanceTable table, BufferAllocator allocator) throws Exception {
    try (Dataset dataset = table.open();
        ArrowArrayStream stream = ArrowArrayStream.allocateNew(allocator)) {
      Data.exportArrayStream(
          allocator,
          new ArrowStreamReader(new ByteArrayInputStream(rows(allocator)), allocator),
          stream);
      FragmentUpdateResult result = dataset.getFragments().get(0).updateColumns(stream, "n", "n");
      table.commit(
          dataset.version(),
          Update.builder()
              .updatedFragments(List.of(result.getUpdatedFragment()))
              .removedFragmentIds(List.of())
              .newFragments(List.of())
              .fieldsModified(result.getFieldsModified())
              .build());
    }
  }

  private static byte[] rows(BufferAllocator allocator) throws Exception {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (VectorSchemaRoot root = VectorSchemaRoot.create(Generations.SCHEMA, allocator);
        ArrowStreamWriter writer = new ArrowStreamWriter(root, null, Channels.newChannel(bytes))) {
      writer.start();
      Generations.fill(root, 0, 10);
      writer.writeBatch();
      writer.end();
    }
    return bytes.toByteArray();
  }
}
