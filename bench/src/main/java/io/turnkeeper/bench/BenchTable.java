package io.turnkeeper.bench;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
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
import org.lance.index.Index;
import org.lance.index.IndexOptions;
import org.lance.index.IndexParams;
import org.lance.index.IndexType;
import org.lance.index.scalar.BTreeIndexParams;
import org.lance.operation.Append;
import org.lance.operation.CreateIndex;
import org.lance.operation.Operation;

/** A table of numbered rows in a directory of its own, without any authority. */
final class BenchTable implements AutoCloseable {
  static final Schema SCHEMA =
      new Schema(
          List.of(
              new Field("n", FieldType.nullable(new ArrowType.Int(64, true)), null),
              new Field("text", FieldType.nullable(new ArrowType.Utf8()), null)));

  private static final int BATCH = 50_000;
  private static final String INDEX = "by_n";

  final BufferAllocator allocator = new RootAllocator();
  final Path directory;

  /** A table with that many fragments of {@code rows} rows each. */
  BenchTable(int fragments, int rows) throws IOException {
    directory = Files.createTempDirectory("bench-lance");
    Dataset.write()
        .allocator(allocator)
        .schema(SCHEMA)
        .uri(uri())
        .mode(WriteParams.WriteMode.CREATE)
        .execute()
        .close();
    List<FragmentMetadata> written = new ArrayList<>();
    for (int i = 0; i < fragments; i++) {
      written.addAll(fragment((long) i * rows, rows));
    }
    if (!written.isEmpty()) {
      commit(1, Append.builder().fragments(written).build());
    }
  }

  String uri() {
    return directory.resolve("table").toString();
  }

  Dataset open() {
    return Dataset.open().allocator(allocator).uri(uri()).build();
  }

  /** Writes one fragment that no version names yet. */
  List<FragmentMetadata> fragment(long first, int rows) {
    try (VectorSchemaRoot root = VectorSchemaRoot.create(SCHEMA, allocator)) {
      BigIntVector numbers = (BigIntVector) root.getVector("n");
      VarCharVector texts = (VarCharVector) root.getVector("text");
      for (int i = 0; i < rows; i++) {
        // Scattered over all fragments, as keys are.
        numbers.setSafe(i, Long.reverse(first + i) >>> 1);
        texts.setSafe(i, ("row " + (first + i)).getBytes(StandardCharsets.UTF_8));
      }
      root.setRowCount(rows);
      return Fragment.write()
          .datasetUri(uri())
          .allocator(allocator)
          .data(root)
          .mode(WriteParams.WriteMode.APPEND)
          .maxRowsPerGroup(BATCH)
          .execute();
    }
  }

  void commit(long readVersion, Operation operation) {
    try (Dataset dataset = open();
        Transaction transaction =
            new Transaction.Builder().readVersion(readVersion).operation(operation).build()) {
      new CommitBuilder(dataset).maxRetries(1).execute(transaction).close();
    }
  }

  static List<Integer> fragments(Dataset dataset) {
    return dataset.getFragments().stream().map(Fragment::getId).toList();
  }

  /** Builds a BTree over {@code n} fragment by fragment and joins the parts; commits nothing. */
  static Index build(Dataset dataset, List<Integer> fragments) {
    UUID uuid = UUID.randomUUID();
    Index built = null;
    for (Integer fragment : fragments) {
      built = dataset.createIndex(options(uuid, List.of(fragment)));
    }
    dataset.mergeIndexMetadata(uuid.toString(), IndexType.BTREE, Optional.empty());
    if (built == null) {
      throw new IllegalArgumentException("expected fragments, but there are none");
    }
    return built;
  }

  /** Builds the same in one call of Lance's. */
  static Index buildAtOnce(Dataset dataset, List<Integer> fragments) {
    UUID uuid = UUID.randomUUID();
    Index built = dataset.createIndex(options(uuid, fragments));
    dataset.mergeIndexMetadata(uuid.toString(), IndexType.BTREE, Optional.empty());
    return built;
  }

  private static IndexOptions options(UUID uuid, List<Integer> fragments) {
    IndexParams params =
        IndexParams.builder().setScalarIndexParams(BTreeIndexParams.builder().build()).build();
    return IndexOptions.builder(List.of("n"), IndexType.BTREE, params)
        .withFragmentIds(fragments)
        .withIndexUUID(uuid.toString())
        .withIndexName(INDEX)
        .replace(true)
        .build();
  }

  /** Makes an index that was built over {@code fragments} the table's. */
  void publish(long readVersion, Index built, List<Integer> fragments) {
    Index index =
        Index.builder()
            .uuid(built.uuid())
            .name(INDEX)
            .fields(built.fields())
            .datasetVersion(readVersion)
            .fragments(fragments)
            .indexDetails(built.indexDetails().orElse(null))
            .indexVersion(built.indexVersion())
            .createdAt(built.createdAt().orElse(null))
            .indexType(built.indexType())
            .build();
    commit(
        readVersion,
        CreateIndex.builder().withNewIndices(List.of(index)).withRemovedIndices(List.of()).build());
  }

  /** Waits until the files of a folder of the table are on the disk. */
  void sync(String folder) throws IOException {
    try (Stream<Path> files = Files.list(directory.resolve("table").resolve(folder))) {
      for (Path file : files.toList()) {
        try (FileChannel written = FileChannel.open(file, StandardOpenOption.WRITE)) {
          written.force(true);
        }
      }
    }
  }

  @Override
  public void close() throws IOException {
    allocator.close();
    delete(directory);
  }

  static void delete(Path directory) throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(file);
      }
    }
  }
}
