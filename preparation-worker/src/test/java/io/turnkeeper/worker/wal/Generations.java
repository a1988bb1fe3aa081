package io.turnkeeper.worker.wal;

import io.turnkeeper.core.ShardId;
import io.turnkeeper.events.storage.LocalStorage;
import io.turnkeeper.events.storage.Storage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.ipc.ArrowStreamWriter;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.Schema;
import org.jspecify.annotations.Nullable;

/** Writes generations of a small table as a writer would: {@code id} "k7" and {@code n} 7. */
public final class Generations {
  public static final Schema SCHEMA =
      new Schema(
          List.of(
              Field.nullable("id", new ArrowType.Utf8()),
              Field.nullable("n", new ArrowType.Int(64, true))));

  private static final int BATCH_ROWS = 100;

  private final Storage log;
  private final BufferAllocator allocator;

  public Generations(Storage log, BufferAllocator allocator) {
    this.log = log;
    this.allocator = allocator;
  }

  public Generations(Path root, BufferAllocator allocator) {
    this(new LocalStorage(root), allocator);
  }

  /** Where a generation lies below the log. */
  public static String name(ShardId shard, long generation) {
    return String.format(Locale.ROOT, "%s/%020d.arrow", shard.value(), generation);
  }

  /** Where a generation lies, in a log on a file system. */
  public Path path(ShardId shard, long generation) {
    return ((LocalStorage) log).file(name(shard, generation));
  }

  /** Rows {@code first} to {@code first + rows - 1}, in batches of 100. */
  public void seal(ShardId shard, long generation, int first, int rows) throws IOException {
    Schema schema = new Schema(SCHEMA.getFields(), Map.of("turnkeeper.writer_epoch", "1"));
    try (VectorSchemaRoot root = VectorSchemaRoot.create(schema, allocator);
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        ArrowStreamWriter writer = new ArrowStreamWriter(root, null, bytes)) {
      writer.start();
      for (int done = 0; done < rows; done += BATCH_ROWS) {
        fill(root, first + done, Math.min(BATCH_ROWS, rows - done));
        writer.writeBatch();
      }
      writer.end();
      seal(shard, generation, bytes.toByteArray());
    }
  }

  /** A file of any content. The same may be sealed again. */
  public void seal(ShardId shard, long generation, byte[] content) throws IOException {
    String name = name(shard, generation);
    if (!log.createIfAbsent(name, content) && !Arrays.equals(content, log.content(name))) {
      throw new IOException("expected " + name + " to be new, or to be the same");
    }
  }

  /** One row of the small table. */
  public record Row(@Nullable String id, long n) {}

  public static final Row WITHOUT_KEY = new Row(null, 0);

  /** These rows, in one batch. */
  public void seal(ShardId shard, long generation, Row... rows) throws IOException {
    seal(shard, generation, SCHEMA, root -> fill(root, rows));
  }

  private static void fill(VectorSchemaRoot root, Row... rows) {
    root.allocateNew();
    for (int i = 0; i < rows.length; i++) {
      String id = rows[i].id();
      if (id != null) {
        ((VarCharVector) root.getVector("id")).setSafe(i, id.getBytes(StandardCharsets.UTF_8));
      }
      ((BigIntVector) root.getVector("n")).setSafe(i, rows[i].n());
    }
    root.setRowCount(rows.length);
  }

  /** One batch of a table of other columns, as {@code rows} fills it. */
  public void seal(ShardId shard, long generation, Schema schema, Consumer<VectorSchemaRoot> rows)
      throws IOException {
    try (VectorSchemaRoot root = VectorSchemaRoot.create(schema, allocator);
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        ArrowStreamWriter writer = new ArrowStreamWriter(root, null, bytes)) {
      rows.accept(root);
      writer.start();
      writer.writeBatch();
      writer.end();
      seal(shard, generation, bytes.toByteArray());
    }
  }

  /** A stream of the table's columns without rows. */
  public static byte[] emptyStream() throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (BufferAllocator allocator = new RootAllocator();
        VectorSchemaRoot root = VectorSchemaRoot.create(SCHEMA, allocator);
        ArrowStreamWriter writer = new ArrowStreamWriter(root, null, bytes)) {
      writer.start();
      writer.end();
    }
    return bytes.toByteArray();
  }

  public static void fill(VectorSchemaRoot root, int first, int rows) {
    root.allocateNew();
    VarCharVector ids = (VarCharVector) root.getVector("id");
    BigIntVector numbers = (BigIntVector) root.getVector("n");
    for (int i = 0; i < rows; i++) {
      ids.setSafe(i, ("k" + (first + i)).getBytes(StandardCharsets.UTF_8));
      numbers.setSafe(i, first + i);
    }
    root.setRowCount(rows);
  }
}
