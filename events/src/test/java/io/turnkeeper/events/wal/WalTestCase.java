package io.turnkeeper.events.wal;

import static org.assertj.core.api.Assertions.assertThat;

import io.turnkeeper.core.ShardId;
import io.turnkeeper.core.TableId;
import io.turnkeeper.core.table.DemandEvent.WalSealed;
import io.turnkeeper.events.storage.Storage;
import io.turnkeeper.events.storage.StoredFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.ipc.ArrowStreamReader;
import org.apache.arrow.vector.ipc.ArrowStreamWriter;
import org.apache.arrow.vector.types.pojo.Schema;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;

/** One shard of a log in a directory of its own, and what its writers announced. */
abstract class WalTestCase {
  static final TableId TABLE = new TableId("flights");
  static final ShardId SHARD = new ShardId("a");
  static final Clock CLOCK = Clock.fixed(Instant.ofEpochMilli(1_790_000_000_000L), ZoneOffset.UTC);

  @TempDir
  @SuppressWarnings("NullAway.Init")
  Path wal;

  final BufferAllocator allocator = new RootAllocator();
  final List<WalSealed> announced = new ArrayList<>();

  @AfterEach
  void everyBufferIsReleased() {
    allocator.close();
  }

  WalWriter open() throws IOException {
    return WalWriter.open(TABLE, 2, wal.toString(), SHARD, this::announce, CLOCK);
  }

  SortedMap<ShardId, WalMark> scan(Map<ShardId, Long> merged) throws IOException {
    return WalScan.shards(Storage.at(wal.toString()), merged);
  }

  CompletableFuture<RecordMetadata> announce(WalSealed event) {
    announced.add(event);
    return CompletableFuture.completedFuture(
        new RecordMetadata(new TopicPartition("demand", 0), 0, 0, 0, 0, 0));
  }

  static SealOutcome.Sealed sealed(WalWriter writer) throws IOException {
    SealOutcome outcome = writer.seal();
    assertThat(outcome).isInstanceOf(SealOutcome.Sealed.class);
    return (SealOutcome.Sealed) outcome;
  }

  void append(WalWriter writer, long... ids) throws IOException {
    try (VectorSchemaRoot batch = batch(ids)) {
      writer.append(batch);
    }
  }

  VectorSchemaRoot batch(long... ids) {
    BigIntVector vector = new BigIntVector("id", allocator);
    vector.allocateNew(ids.length);
    IntStream.range(0, ids.length).forEach(i -> vector.set(i, ids[i]));
    vector.setValueCount(ids.length);
    return VectorSchemaRoot.of(vector);
  }

  void writePlain(Path file, long... ids) throws IOException {
    Files.createDirectories(file.getParent());
    try (VectorSchemaRoot batch = batch(ids);
        var out = Files.newOutputStream(file);
        ArrowStreamWriter writer = new ArrowStreamWriter(batch, null, out)) {
      writer.start();
      writer.writeBatch();
      writer.end();
    }
  }

  Path file(long generation) {
    return wal.resolve(WalLayout.file(SHARD, generation));
  }

  List<String> names() throws IOException {
    return Storage.at(wal.toString()).list(WalLayout.folder(SHARD)).files().stream()
        .map(StoredFile::baseName)
        .toList();
  }

  Schema schema(Path file) throws IOException {
    try (var reader = new ArrowStreamReader(Files.newInputStream(file), allocator)) {
      return reader.getVectorSchemaRoot().getSchema();
    }
  }

  List<Long> read(Path file) throws IOException {
    List<Long> ids = new ArrayList<>();
    try (var reader = new ArrowStreamReader(Files.newInputStream(file), allocator)) {
      while (reader.loadNextBatch()) {
        BigIntVector vector = (BigIntVector) reader.getVectorSchemaRoot().getVector("id");
        for (int i = 0; i < vector.getValueCount(); i++) {
          ids.add(vector.get(i));
        }
      }
    }
    return ids;
  }
}
