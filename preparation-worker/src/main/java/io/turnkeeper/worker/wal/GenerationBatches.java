package io.turnkeeper.worker.wal;

import java.io.IOException;
import java.nio.channels.SeekableByteChannel;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.OutOfMemoryException;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.VectorUnloader;
import org.apache.arrow.vector.ipc.ArrowStreamReader;
import org.apache.arrow.vector.ipc.message.ArrowRecordBatch;
import org.apache.arrow.vector.types.pojo.Schema;
import org.apache.arrow.vector.util.ValueVectorUtility;
import org.jspecify.annotations.Nullable;

/**
 * The record batches of one generation, one at a time. Each batch is validated in full before it is
 * handed out: native code reads it afterwards, and wrong offsets would end the process.
 */
public final class GenerationBatches implements AutoCloseable {
  private final GenerationFile file;
  private final SeekableByteChannel channel;
  private final ArrowStreamReader reader;

  private GenerationBatches(
      GenerationFile file, SeekableByteChannel channel, ArrowStreamReader reader) {
    this.file = file;
    this.channel = channel;
    this.reader = reader;
  }

  static GenerationBatches open(GenerationFile file, Schema table, BufferAllocator allocator)
      throws InvalidWalException, IOException {
    SeekableByteChannel channel = file.log().read(file.name());
    GenerationBatches batches =
        new GenerationBatches(file, channel, new ArrowStreamReader(channel, allocator));
    try {
      batches.requireSchema(table);
      return batches;
    } catch (InvalidWalException | RuntimeException e) {
      batches.close();
      throw e;
    }
  }

  private void requireSchema(Schema table) throws InvalidWalException {
    Schema found = guarded(() -> reader.getVectorSchemaRoot().getSchema());
    String difference = SchemaMatch.difference(table, found);
    if (difference != null) {
      throw new InvalidWalException(file, difference);
    }
  }

  /** The next batch, to be closed by the caller, or null after the last. */
  public @Nullable ArrowRecordBatch next() throws InvalidWalException {
    if (!guarded(reader::loadNextBatch)) {
      return null;
    }
    return guarded(
        () -> {
          VectorSchemaRoot root = reader.getVectorSchemaRoot();
          requireConsistent(root);
          return new VectorUnloader(root).getRecordBatch();
        });
  }

  private static void requireConsistent(VectorSchemaRoot root) {
    for (FieldVector vector : root.getFieldVectors()) {
      if (vector.getValueCount() != root.getRowCount()) {
        throw new IllegalArgumentException(
            "column "
                + vector.getName()
                + " has "
                + vector.getValueCount()
                + " values in a batch of "
                + root.getRowCount());
      }
    }
    ValueVectorUtility.validateFull(root);
  }

  /** The bytes read so far. */
  public long bytesRead() {
    return reader.bytesRead();
  }

  private interface Read<T> {
    T run() throws IOException;
  }

  private <T> T guarded(Read<T> read) throws InvalidWalException {
    try {
      return read.run();
    } catch (OutOfMemoryException e) {
      // The memory is short, not the file.
      throw e;
    } catch (IOException | RuntimeException e) {
      throw new InvalidWalException(file, "it cannot be decoded: " + e, e);
    }
  }

  @Override
  public void close() throws IOException {
    try (channel) {
      reader.close();
    }
  }
}
