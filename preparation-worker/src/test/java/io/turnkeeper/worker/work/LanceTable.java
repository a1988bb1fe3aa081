package io.turnkeeper.worker.work;

import io.turnkeeper.authority.Head;
import io.turnkeeper.authority.Manifest;
import io.turnkeeper.core.Attempt;
import io.turnkeeper.core.ExecutorId;
import io.turnkeeper.core.Kind;
import io.turnkeeper.core.ShardId;
import io.turnkeeper.core.TableId;
import io.turnkeeper.core.UnitId;
import io.turnkeeper.core.table.Assignment.RunUnit;
import io.turnkeeper.core.table.Mode;
import io.turnkeeper.core.table.WorkSpec;
import io.turnkeeper.events.storage.Listing;
import io.turnkeeper.events.storage.Storage;
import io.turnkeeper.worker.fence.OpenTable;
import io.turnkeeper.worker.wal.Generations;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.apache.arrow.c.ArrowArrayStream;
import org.apache.arrow.c.Data;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.ipc.ArrowReader;
import org.apache.arrow.vector.ipc.ArrowStreamReader;
import org.apache.arrow.vector.ipc.ArrowStreamWriter;
import org.apache.arrow.vector.types.pojo.Schema;
import org.lance.CommitBuilder;
import org.lance.Dataset;
import org.lance.Fragment;
import org.lance.FragmentMetadata;
import org.lance.Transaction;
import org.lance.WriteParams;
import org.lance.ipc.LanceScanner;
import org.lance.ipc.ScanOptions;
import org.lance.merge.MergeInsertParams;
import org.lance.operation.Append;
import org.lance.operation.Operation;

/** A real table that a test changes without an authority. */
final class LanceTable {
  static final TableId ID = new TableId("t");

  private final String uri;
  private final Path wal;
  private final BufferAllocator allocator;
  private long units;
  private final SortedMap<ShardId, Long> merged = new TreeMap<>();

  LanceTable(Path dir, BufferAllocator allocator, Schema schema, boolean stableRowIds) {
    this(dir.resolve("table").toString(), dir.resolve("wal"), allocator, schema, stableRowIds);
  }

  LanceTable(String uri, Path wal, BufferAllocator allocator, Schema schema) {
    this(uri, wal, allocator, schema, false);
  }

  private LanceTable(
      String uri, Path wal, BufferAllocator allocator, Schema schema, boolean stableRowIds) {
    this.uri = uri;
    this.wal = wal;
    this.allocator = allocator;
    Dataset.write()
        .allocator(allocator)
        .schema(schema)
        .uri(uri)
        .storageOptions(options())
        .mode(WriteParams.WriteMode.CREATE)
        .enableStableRowIds(stableRowIds)
        .execute()
        .close();
  }

  String uri() {
    return uri;
  }

  Path wal() {
    return wal;
  }

  private Map<String, String> options() {
    try {
      return Storage.at(uri).lanceOptions();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  RunUnit unit(Kind kind, WorkSpec spec) {
    units++;
    Attempt attempt = new Attempt(new UnitId(ID, units), 1, new ExecutorId("e1"), 1);
    return new RunUnit(attempt, kind, Mode.OUTSIDE, spec, 1, uri(), wal().toString(), 0);
  }

  Head head() {
    try (Dataset table = open()) {
      Manifest manifest = new Manifest("m", 1, "0".repeat(64));
      return new Head(1, uri(), table.version(), 0, 0, 0, manifest, merged, 0);
    }
  }

  Dataset open() {
    try {
      return OpenTable.newest(uri(), allocator);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Appends fragments of {@code rows} each, beginning with key {@code first}. */
  void append(int first, int rows, int fragments) {
    for (int i = 0; i < fragments; i++) {
      commit(latest(), Append.builder().fragments(write(first + i * rows, rows)).build());
    }
  }

  /** Commits one append twice, which Lance takes: two fragments then share a file. */
  void appendTwice(int first, int rows) {
    List<FragmentMetadata> written = write(first, rows);
    commit(latest(), Append.builder().fragments(written).build());
    commit(latest(), Append.builder().fragments(written).build());
  }

  /** Fragments that no version names yet. */
  List<FragmentMetadata> write(int first, int rows) {
    try (VectorSchemaRoot root = VectorSchemaRoot.create(Generations.SCHEMA, allocator)) {
      Generations.fill(root, first, rows);
      return Fragment.write()
          .datasetUri(uri())
          .storageOptions(options())
          .allocator(allocator)
          .data(root)
          .mode(WriteParams.WriteMode.APPEND)
          .execute();
    }
  }

  /** Rows of these columns; the stream owns what it reads. */
  ArrowArrayStream stream(Schema schema, int first, int rows) throws IOException {
    return stream(schema, root -> Generations.fill(root, first, rows));
  }

  /** What {@code rows} fills in, of these columns. */
  ArrowArrayStream stream(Schema schema, Consumer<VectorSchemaRoot> rows) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (VectorSchemaRoot root = VectorSchemaRoot.create(schema, allocator);
        ArrowStreamWriter writer = new ArrowStreamWriter(root, null, bytes)) {
      writer.start();
      rows.accept(root);
      writer.writeBatch();
      writer.end();
    }
    ArrowArrayStream stream = ArrowArrayStream.allocateNew(allocator);
    Data.exportArrayStream(
        allocator,
        new ArrowStreamReader(new ByteArrayInputStream(bytes.toByteArray()), allocator),
        stream);
    return stream;
  }

  /** Writes {@code rows} keys from {@code first} on over those with the same {@code key}. */
  void upsert(String key, int first, int rows) throws Exception {
    upsert(key, stream(Generations.SCHEMA, first, rows));
  }

  /** Writes these columns over those of the rows with the same {@code key}. */
  void upsert(String key, ArrowArrayStream rows) throws Exception {
    MergeInsertParams params =
        new MergeInsertParams(List.of(key))
            .withMatchedUpdateAll()
            .withNotMatched(MergeInsertParams.WhenNotMatched.DoNothing);
    try (Dataset table = open();
        rows) {
      table.mergeInsert(params, rows).dataset().close();
    }
  }

  /** Publishes as a turn holder would, and says why if that would be stale. */
  String publish(Prepared prepared) {
    try (Dataset fresh = open()) {
      String stale = prepared.staleness(fresh, head());
      if (stale == null) {
        stale = prepared.files().difference();
      }
      if (stale == null) {
        commit(prepared.artifact().readVersion(), prepared.operation(fresh));
        merged.putAll(prepared.mergedThrough());
      }
      return stale == null ? "" : stale;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  void commit(long readVersion, Operation operation) {
    try (Dataset table = open();
        Transaction transaction =
            new Transaction.Builder().readVersion(readVersion).operation(operation).build()) {
      new CommitBuilder(table).writeParams(options()).maxRetries(1).execute(transaction).close();
    }
  }

  long latest() {
    try (Dataset table = open()) {
      return table.version();
    }
  }

  List<Integer> fragments() {
    try (Dataset table = open()) {
      return table.getFragments().stream().map(Fragment::getId).toList();
    }
  }

  long rows() {
    try (Dataset table = open()) {
      return table.countRows();
    }
  }

  /** The values of {@code n} that a filter finds. */
  @SuppressWarnings("try")
  List<Long> find(String filter, boolean useIndex) throws Exception {
    ScanOptions options =
        new ScanOptions.Builder()
            .columns(List.of("n"))
            .filter(filter)
            .useScalarIndex(useIndex)
            .build();
    List<Long> found = new java.util.ArrayList<>();
    try (Dataset table = open();
        LanceScanner scanner = table.newScan(options);
        ArrowReader reader = scanner.scanBatches()) {
      while (reader.loadNextBatch()) {
        BigIntVector values = (BigIntVector) reader.getVectorSchemaRoot().getVector("n");
        for (int i = 0; i < values.getValueCount(); i++) {
          found.add(values.get(i));
        }
      }
    }
    return found.stream().sorted().toList();
  }

  /** The table's files, past Lance. */
  Storage storage() {
    return Storage.at(uri());
  }

  /** Puts this content in place of a file, if it is there. */
  void replace(String file, byte[] content) throws IOException {
    storage().delete(List.of(file));
    if (!storage().createIfAbsent(file, content)) {
      throw new IllegalStateException("expected nobody else to write " + file);
    }
  }

  /** Data and index files, to see what a preparation leaves. */
  SortedSet<String> files() throws IOException {
    SortedSet<String> files = new TreeSet<>();
    for (String folder : List.of(TableFiles.DATA, TableFiles.INDICES)) {
      addFiles(folder, files);
    }
    return files;
  }

  private void addFiles(String folder, SortedSet<String> files) throws IOException {
    Listing listing = storage().list(folder);
    listing.files().forEach(file -> files.add(file.name()));
    for (String inner : listing.folders()) {
      addFiles(inner, files);
    }
  }
}
