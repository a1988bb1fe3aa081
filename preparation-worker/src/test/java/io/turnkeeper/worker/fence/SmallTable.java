package io.turnkeeper.worker.fence;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.turnkeeper.core.ShardId;
import io.turnkeeper.events.storage.Storage;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;
import org.apache.arrow.vector.types.pojo.Schema;
import org.lance.CommitBuilder;
import org.lance.Dataset;
import org.lance.Fragment;
import org.lance.FragmentMetadata;
import org.lance.Transaction;
import org.lance.WriteParams;
import org.lance.operation.Append;
import org.lance.operation.Operation;

/** A table of numbers, each with the name of who wrote it. */
final class SmallTable {
  static final Schema SCHEMA =
      new Schema(
          List.of(
              new Field("n", FieldType.nullable(new ArrowType.Int(64, true)), null),
              new Field("writer", FieldType.nullable(new ArrowType.Utf8()), null)));

  private final BufferAllocator allocator;
  private final String uri;

  SmallTable(BufferAllocator allocator, String uri) {
    this.allocator = allocator;
    this.uri = uri;
  }

  /** Writes a fragment of {@code rows} rows; nothing refers to it yet. */
  List<FragmentMetadata> fragment(String writer, int rows) {
    try (VectorSchemaRoot root = VectorSchemaRoot.create(SCHEMA, allocator)) {
      BigIntVector numbers = (BigIntVector) root.getVector("n");
      VarCharVector writers = (VarCharVector) root.getVector("writer");
      for (int i = 0; i < rows; i++) {
        numbers.setSafe(i, i);
        writers.setSafe(i, writer.getBytes(UTF_8));
      }
      root.setRowCount(rows);
      return Fragment.write()
          .datasetUri(uri)
          .storageOptions(options())
          .allocator(allocator)
          .data(root)
          .mode(WriteParams.WriteMode.APPEND)
          .execute();
    }
  }

  Operation append(String writer, int rows) {
    return Append.builder().fragments(fragment(writer, rows)).build();
  }

  /** Commits as somebody does who knows nothing of turns. */
  void commitAround(Operation operation) {
    try (Dataset dataset = open();
        Transaction transaction =
            new Transaction.Builder().readVersion(dataset.version()).operation(operation).build()) {
      new CommitBuilder(dataset).writeParams(options()).maxRetries(1).execute(transaction).close();
    }
  }

  /** Opens the newest version that plain readers see. */
  Dataset open() {
    try {
      return OpenTable.newest(uri, allocator);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private Map<String, String> options() {
    try {
      return Storage.at(uri).lanceOptions();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  long version() {
    try (Dataset dataset = open()) {
      return dataset.version();
    }
  }

  long rowsOf(String writer) {
    try (Dataset dataset = open()) {
      return dataset.countRows("writer = '" + writer + "'");
    }
  }

  static SortedMap<ShardId, Long> noMarks() {
    return new TreeMap<>();
  }
}
