package io.turnkeeper.local.demo;

import io.turnkeeper.local.ConfigException;
import io.turnkeeper.local.verify.RowId;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.ipc.ArrowFileReader;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.Schema;
import org.apache.arrow.vector.util.TransferPair;

/** Real rows from an Arrow file, from its beginning again when it ends, each with a unique id. */
final class RowSource implements AutoCloseable {
  private final Path file;
  private final BufferAllocator allocator;
  private final FileChannel channel;
  private final ArrowFileReader reader;
  private final Schema schema;
  private int offset;

  private RowSource(
      Path file, BufferAllocator allocator, FileChannel channel, ArrowFileReader reader)
      throws IOException {
    this.file = file;
    this.allocator = allocator;
    this.channel = channel;
    this.reader = reader;
    this.schema = withId(file, reader.getVectorSchemaRoot().getSchema());
  }

  /**
   * Opens the file and reads its first rows.
   *
   * @throws ConfigException if it is not an Arrow file that the demo can use
   */
  static RowSource open(Path file, BufferAllocator allocator) {
    if (!Files.isRegularFile(file)) {
      throw new ConfigException("expected an Arrow IPC file, but there is no file " + file);
    }
    try {
      FileChannel channel = FileChannel.open(file, StandardOpenOption.READ);
      ArrowFileReader reader = new ArrowFileReader(channel, allocator);
      try {
        RowSource source = new RowSource(file, allocator, channel, reader);
        source.nextBatch();
        return source;
      } catch (IOException | RuntimeException e) {
        reader.close(false);
        channel.close();
        throw e;
      }
    } catch (ConfigException e) {
      throw e;
    } catch (IOException | RuntimeException e) {
      // Arrow reports what it cannot read in either way.
      throw new ConfigException(
          "expected an Arrow IPC file, but " + file + " is not: " + e.getMessage(), e);
    }
  }

  /** The columns of the file and {@code id}. */
  Schema schema() {
    return schema;
  }

  /**
   * The next rows, at most {@code limit} of them and at least one, with consecutive ids; to be
   * closed by the caller.
   */
  VectorSchemaRoot next(int limit, String prefix, long firstNumber) throws IOException {
    VectorSchemaRoot batch = reader.getVectorSchemaRoot();
    if (offset == batch.getRowCount()) {
      nextBatch();
    }
    int rows = Math.min(limit, batch.getRowCount() - offset);
    List<FieldVector> columns = new ArrayList<>();
    for (FieldVector column : batch.getFieldVectors()) {
      TransferPair pair = column.getTransferPair(allocator);
      pair.splitAndTransfer(offset, rows);
      columns.add((FieldVector) pair.getTo());
    }
    columns.add(ids(prefix, firstNumber, rows));
    offset += rows;
    return new VectorSchemaRoot(schema, columns, rows);
  }

  @Override
  public void close() {
    try {
      reader.close(false);
      channel.close();
    } catch (IOException e) {
      throw new java.io.UncheckedIOException("cannot close " + file, e);
    }
  }

  private static Schema withId(Path file, Schema found) {
    List<Field> fields = new ArrayList<>(found.getFields());
    Set<String> names = new HashSet<>();
    for (Field field : fields) {
      if (!names.add(field.getName())) {
        throw new ConfigException(
            "expected columns of different names, but " + file + " has two " + field.getName());
      }
      if (field.getName().equals(RowId.COLUMN)) {
        throw new ConfigException(
            "expected a file without a column named "
                + RowId.COLUMN
                + ", but "
                + file
                + " has one");
      }
      if (field.getDictionary() != null) {
        throw new ConfigException(
            "expected plain columns, but " + field.getName() + " of " + file + " is a dictionary");
      }
    }
    fields.add(RowId.FIELD);
    return new Schema(fields);
  }

  private void nextBatch() throws IOException {
    offset = 0;
    boolean restarted = false;
    do {
      if (!reader.loadNextBatch()) {
        if (restarted || reader.getRecordBlocks().isEmpty()) {
          throw new ConfigException("expected rows, but " + file + " has none");
        }
        restarted = true;
        reader.loadRecordBatch(reader.getRecordBlocks().get(0));
      }
    } while (reader.getVectorSchemaRoot().getRowCount() == 0);
  }

  private VarCharVector ids(String prefix, long firstNumber, int rows) {
    VarCharVector ids = new VarCharVector(RowId.FIELD, allocator);
    ids.allocateNew((long) rows * RowId.length(prefix), rows);
    byte[] id = RowId.bytes(prefix, firstNumber);
    for (int row = 0; row < rows; row++) {
      RowId.write(firstNumber + row, id);
      ids.set(row, id);
    }
    ids.setValueCount(rows);
    return ids;
  }
}
