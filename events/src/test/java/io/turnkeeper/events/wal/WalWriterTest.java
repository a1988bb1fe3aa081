package io.turnkeeper.events.wal;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.turnkeeper.core.ShardId;
import io.turnkeeper.core.TableId;
import io.turnkeeper.core.table.DemandEvent.SealSource;
import io.turnkeeper.core.table.DemandEvent.WalSealed;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.ipc.ArrowStreamReader;
import org.apache.arrow.vector.ipc.ArrowStreamWriter;
import org.apache.arrow.vector.types.pojo.Schema;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WalWriterTest {
  private static final TableId TABLE = new TableId("flights");
  private static final ShardId SHARD = new ShardId("a");
  private static final Clock CLOCK =
      Clock.fixed(Instant.ofEpochMilli(1_790_000_000_000L), ZoneOffset.UTC);

  @TempDir Path wal;
  private final BufferAllocator allocator = new RootAllocator();
  private final List<WalSealed> announced = new ArrayList<>();

  @AfterEach
  void everyBufferIsReleased() {
    allocator.close();
  }

  @Test
  void aSealedGenerationIsAnArrowStreamWithItsMetadata() throws Exception {
    try (WalWriter writer = open()) {
      append(writer, 1, 2, 3);
      append(writer, 4);
      SealOutcome.Sealed sealed = sealed(writer);

      assertThat(sealed.generation()).isEqualTo(1);
      assertThat(sealed.rows()).isEqualTo(4);
      assertThat(sealed.bytes()).isEqualTo(Files.size(file(1)));
    }
    assertThat(read(file(1))).containsExactly(1L, 2L, 3L, 4L);
    assertThat(schema(file(1)).getCustomMetadata())
        .containsEntry("turnkeeper.writer_epoch", "1")
        .containsEntry("turnkeeper.rows_through", "00000000000000000004")
        .containsEntry("turnkeeper.bytes_through", String.format("%020d", Files.size(file(1))))
        .containsEntry("turnkeeper.sealed_at_millis", "00000001790000000000");
    assertThat(announced)
        .containsExactly(
            new WalSealed(
                TABLE,
                2,
                SHARD,
                1,
                1,
                Files.size(file(1)),
                4,
                1_790_000_000_000L,
                SealSource.WRITER));
    assertThat(names()).containsExactly("00000000000000000001.arrow");
  }

  @Test
  void watermarksAreAbsolute() throws Exception {
    try (WalWriter writer = open()) {
      append(writer, 1, 2);
      sealed(writer);
      append(writer, 3);
      SealOutcome.Sealed second = sealed(writer);

      assertThat(second.mark().rowsThrough()).isEqualTo(3);
      assertThat(second.mark().bytesThrough()).isEqualTo(Files.size(file(1)) + Files.size(file(2)));
    }
  }

  @Test
  void sealingNothingWritesNothing() throws Exception {
    try (WalWriter writer = open()) {
      assertThat(writer.seal()).isInstanceOf(SealOutcome.Nothing.class);
      append(writer);
      assertThat(writer.seal()).isInstanceOf(SealOutcome.Nothing.class);
      append(writer, 7);
      assertThat(sealed(writer).rows()).isEqualTo(1);
    }
    assertThat(read(file(1))).containsExactly(7L);
  }

  @Test
  void aNewWriterGoesOnWithAHigherEpochAndAnnouncesAgain() throws Exception {
    try (WalWriter writer = open()) {
      append(writer, 1, 2);
      sealed(writer);
    }
    WalSealed first = announced.get(0);
    announced.clear();

    try (WalWriter writer = open()) {
      assertThat(announced).containsExactly(first);
      assertThat(writer.writerEpoch()).isEqualTo(2);
      append(writer, 3);
      SealOutcome.Sealed sealed = sealed(writer);

      assertThat(sealed.generation()).isEqualTo(2);
      assertThat(sealed.mark().rowsThrough()).isEqualTo(3);
    }
    assertThat(schema(file(2)).getCustomMetadata()).containsEntry("turnkeeper.writer_epoch", "2");
  }

  @Test
  void aPausedWriterIsFencedByItsSuccessor() throws Exception {
    try (WalWriter zombie = open();
        WalWriter successor = open()) {
      append(successor, 10);
      sealed(successor);
      append(zombie, 1);

      assertThat(zombie.seal())
          .isEqualTo(
              new SealOutcome.Fenced("WRITER_FENCED: generation 1 was written by somebody else"));
      assertThatThrownBy(() -> append(zombie, 2)).hasMessageContaining("WRITER_FENCED");
      assertThat(zombie.seal()).isInstanceOf(SealOutcome.Fenced.class);
    }
    assertThat(read(file(1))).containsExactly(10L);
    assertThat(announced).hasSize(1);
  }

  @Test
  void aWriterWhoseFileWasClearedAwayIsFenced() throws Exception {
    try (WalWriter zombie = open()) {
      append(zombie, 1);
      try (WalWriter successor = open()) {
        assertThat(zombie.seal())
            .isEqualTo(
                new SealOutcome.Fenced(
                    "WRITER_FENCED: a later writer cleared away what was not sealed"));
        append(successor, 2);
        sealed(successor);
      }
    }
    assertThat(read(file(1))).containsExactly(2L);
  }

  @Test
  void aWriterThatSleptWhileItsNameWasMergedAndRemovedDoesNotAcknowledge() throws Exception {
    try (WalWriter zombie = open();
        WalWriter successor = open()) {
      append(successor, 10);
      sealed(successor);
      append(successor, 11);
      sealed(successor);
      Files.delete(file(1)); // Merged and retired; the newest stays.
      append(zombie, 1);

      assertThat(zombie.seal())
          .isEqualTo(
              new SealOutcome.Fenced(
                  "WRITER_FENCED: generation 2 exists, this writer is only at 1"));
    }
    assertThat(names()).containsExactly("00000000000000000002.arrow");
  }

  @Test
  void aNameThatIsTakenAfterItsRemovalIsNotAcknowledged() throws Exception {
    try (WalWriter successor = open()) {
      var sleeping =
          new HookedFolder() {
            @Override
            boolean link(Path temporary, long generation) throws IOException {
              sealed(successor);
              append(successor, 11);
              sealed(successor);
              Files.delete(file(1)); // Merged and retired while this writer slept.
              return super.link(temporary, generation);
            }
          };
      try (WalWriter zombie = openHooked(sleeping)) {
        append(successor, 10);
        append(zombie, 1);
        assertThat(zombie.seal())
            .isEqualTo(
                new SealOutcome.Fenced("WRITER_FENCED: a later writer did not count generation 1"));
      }
    }
  }

  @Test
  void aSuccessorThatCountedTheGenerationDoesNotUndoIt() throws Exception {
    var overtaken =
        new HookedFolder() {
          @Override
          boolean link(Path temporary, long generation) throws IOException {
            boolean linked = super.link(temporary, generation);
            try (WalWriter successor = open()) {
              append(successor, 2);
              sealed(successor);
            }
            return linked;
          }
        };
    try (WalWriter writer = openHooked(overtaken)) {
      append(writer, 1);
      assertThat(sealed(writer).generation()).isEqualTo(1);
      append(writer, 3);
      assertThat(writer.seal()).isInstanceOf(SealOutcome.Fenced.class);
    }
    assertThat(read(file(1))).containsExactly(1L);
    assertThat(read(file(2))).containsExactly(2L);
  }

  @Test
  void aSealThatFailedAfterTheNameWasGivenCanBeRepeated() throws Exception {
    var failing =
        new HookedFolder() {
          private boolean failed;

          @Override
          void sync() throws IOException {
            if (!failed) {
              failed = true;
              throw new IOException("disk is tired");
            }
            super.sync();
          }
        };
    try (WalWriter writer = openHooked(failing)) {
      append(writer, 1, 2);
      assertThatThrownBy(writer::seal).hasMessage("disk is tired");
      assertThatThrownBy(() -> append(writer, 3)).hasMessageContaining("seal() to be repeated");
      assertThat(sealed(writer).rows()).isEqualTo(2);
      append(writer, 3);
      assertThat(sealed(writer).generation()).isEqualTo(2);
    }
    assertThat(read(file(1))).containsExactly(1L, 2L);
    assertThat(announced).hasSize(2);
  }

  /** Lets a test stand between the steps of a seal. */
  private class HookedFolder extends WalFolder {
    HookedFolder() {
      super(WalLayout.folder(wal.toString(), SHARD));
    }
  }

  private WalWriter openHooked(WalFolder folder) throws IOException {
    return WalWriter.open(TABLE, 2, SHARD, folder, this::announce, CLOCK);
  }

  @Test
  void whatACrashedWriterLeftHalfDoneIsClearedAway() throws Exception {
    WalWriter crashed = open();
    append(crashed, 1, 2, 3);
    assertThat(names()).singleElement().asString().endsWith(".tmp");

    try (WalWriter writer = open()) {
      assertThat(names()).isEmpty();
      assertThat(announced).isEmpty();
      append(writer, 4);
      assertThat(sealed(writer).generation()).isEqualTo(1);
    }
    crashed.close();
    assertThat(read(file(1))).containsExactly(4L);
  }

  @Test
  void unsealedRowsEndWithTheirWriter() throws Exception {
    try (WalWriter writer = open()) {
      append(writer, 1);
      assertThat(writer.unsealedRows()).isEqualTo(1);
      assertThat(writer.unsealedBytes()).isPositive();
    }
    assertThat(names()).isEmpty();
  }

  @Test
  void otherColumnsAreRefusedAndTheGenerationGoesOn() throws Exception {
    try (WalWriter writer = open();
        VarCharVector names = new VarCharVector("name", allocator);
        VectorSchemaRoot other = VectorSchemaRoot.of(names)) {
      append(writer, 1);
      assertThatThrownBy(() -> writer.append(other))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("expected the columns");
      append(writer, 2);
      sealed(writer);
    }
    assertThat(read(file(1))).containsExactly(1L, 2L);
  }

  @Test
  void generationsOfOtherLanguagesAreCounted() throws Exception {
    writePlain(file(1), 1, 2, 3);
    writePlain(file(2), 4);

    try (WalWriter writer = open()) {
      assertThat(writer.mark().rowsThrough()).isEqualTo(4);
      assertThat(writer.mark().bytesThrough()).isEqualTo(Files.size(file(1)) + Files.size(file(2)));
      append(writer, 5);
      assertThat(sealed(writer).mark().rowsThrough()).isEqualTo(5);
    }
  }

  @Test
  void anUnreadableGenerationCountsItsBytesOnly() throws Exception {
    writePlain(file(1), 1, 2, 3);
    Files.writeString(file(2), "this is not Arrow at all");
    Files.write(file(3), new byte[0]);
    byte[] whole = Files.readAllBytes(file(1));
    Files.write(file(4), java.util.Arrays.copyOf(whole, whole.length / 2));

    WalMark mark = requireNonNull(WalScan.shards(wal.toString(), Map.of()).get(SHARD));

    assertThat(mark.sealedThrough()).isEqualTo(4);
    assertThat(mark.bytesThrough()).isEqualTo(whole.length + 24 + whole.length / 2);
    assertThat(mark.rowsThrough()).isBetween(3L, 6L);
  }

  @Test
  void aHoleRightBehindTheMergedMarkIsNotPassed() throws Exception {
    writePlain(file(5), 1);
    writePlain(file(6), 2);

    assertThat(WalScan.shards(wal.toString(), Map.of(SHARD, 3L))).isEmpty();
    writePlain(file(2), 3);
    assertThat(WalScan.shards(wal.toString(), Map.of(SHARD, 3L)).get(SHARD))
        .extracting(WalMark::sealedThrough)
        .isEqualTo(2L);
    assertThat(WalScan.shards(wal.toString(), Map.of(SHARD, 4L)).get(SHARD))
        .extracting(WalMark::sealedThrough)
        .isEqualTo(6L);
  }

  @Test
  void aFolderThatIsNoShardsIsLeftOut() throws Exception {
    writePlain(file(1), 1);
    Files.createDirectories(wal.resolve("not a shard"));
    writePlain(wal.resolve("not a shard").resolve(WalLayout.fileName(1)), 1);

    assertThat(WalScan.shards(wal.toString(), Map.of())).containsOnlyKeys(SHARD);
  }

  @Test
  void aScanStopsAtAHole() throws Exception {
    writePlain(file(1), 1, 2);
    writePlain(file(2), 3);
    writePlain(file(4), 4);
    Files.writeString(file(5).resolveSibling("notes.txt"), "x");

    WalMark mark = requireNonNull(WalScan.shards(wal.toString(), Map.of()).get(SHARD));

    assertThat(mark.sealedThrough()).isEqualTo(2);
    assertThat(mark.rowsThrough()).isEqualTo(3);
    assertThat(WalScan.shards(wal.resolve("none").toString(), Map.of())).isEmpty();
  }

  @Test
  void pathsMayBeUrisWithAnyLetters() throws Exception {
    Path folder = wal.resolve("straße 東京");
    try (WalWriter writer =
        WalWriter.open(TABLE, 2, folder.toUri().toString(), SHARD, this::announce, CLOCK)) {
      append(writer, 1);
      sealed(writer);
    }
    assertThat(read(folder.resolve("a").resolve(WalLayout.fileName(1)))).containsExactly(1L);
    assertThat(WalScan.shards(folder.toString(), Map.of())).containsOnlyKeys(SHARD);
  }

  @Test
  void otherStoresAreRefusedByName() {
    assertThatThrownBy(() -> WalLayout.root("s3://bucket/wal"))
        .hasMessage("expected a local path or a file URI for the log, but it is s3://bucket/wal");
  }

  @Test
  void fileNamesAndGenerationsMatch() {
    assertThat(WalLayout.fileName(17)).isEqualTo("00000000000000000017.arrow");
    assertThat(WalLayout.generationOf("00000000000000000017.arrow")).hasValue(17);
    for (String other :
        List.of(
            "00000000000000000000.arrow",
            "17.arrow",
            "99999999999999999999.arrow",
            "00000000000000000017.arrow.x.tmp")) {
      assertThat(WalLayout.generationOf(other)).as(other).isEmpty();
    }
  }

  @Test
  void aLogOfNoCreationOfTheTableIsRefusedBeforeAnythingIsSealed() {
    Path folder = wal.resolve("new");
    assertThatThrownBy(
            () -> WalWriter.open(TABLE, 0, folder.toString(), SHARD, this::announce, CLOCK))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("tableIncarnation");
    assertThat(folder).doesNotExist();
  }

  @Test
  void aFailedAnnouncementDoesNotUndoTheSeal() throws Exception {
    var down = new IOException("broker down");
    try (WalWriter writer =
        WalWriter.open(
            TABLE,
            2,
            wal.toString(),
            SHARD,
            event -> CompletableFuture.failedFuture(down),
            CLOCK)) {
      append(writer, 1);
      assertThat(sealed(writer).announced()).isCompletedExceptionally();
    }
    assertThat(read(file(1))).containsExactly(1L);
  }

  private WalWriter open() throws IOException {
    return WalWriter.open(TABLE, 2, wal.toString(), SHARD, this::announce, CLOCK);
  }

  private CompletableFuture<RecordMetadata> announce(WalSealed event) {
    announced.add(event);
    return CompletableFuture.completedFuture(
        new RecordMetadata(new TopicPartition("demand", 0), 0, 0, 0, 0, 0));
  }

  private static SealOutcome.Sealed sealed(WalWriter writer) throws IOException {
    SealOutcome outcome = writer.seal();
    assertThat(outcome).isInstanceOf(SealOutcome.Sealed.class);
    return (SealOutcome.Sealed) outcome;
  }

  private void append(WalWriter writer, long... ids) throws IOException {
    try (VectorSchemaRoot batch = batch(ids)) {
      writer.append(batch);
    }
  }

  private VectorSchemaRoot batch(long... ids) {
    BigIntVector vector = new BigIntVector("id", allocator);
    vector.allocateNew(ids.length);
    IntStream.range(0, ids.length).forEach(i -> vector.set(i, ids[i]));
    vector.setValueCount(ids.length);
    return VectorSchemaRoot.of(vector);
  }

  private void writePlain(Path file, long... ids) throws IOException {
    Files.createDirectories(file.getParent());
    try (VectorSchemaRoot batch = batch(ids);
        var out = Files.newOutputStream(file);
        ArrowStreamWriter writer = new ArrowStreamWriter(batch, null, out)) {
      writer.start();
      writer.writeBatch();
      writer.end();
    }
  }

  private Path file(long generation) {
    return WalLayout.file(wal.toString(), SHARD, generation);
  }

  private List<String> names() throws IOException {
    try (Stream<Path> files = Files.list(WalLayout.folder(wal.toString(), SHARD))) {
      return files.map(file -> file.getFileName().toString()).sorted().toList();
    }
  }

  private Schema schema(Path file) throws IOException {
    try (var reader = new ArrowStreamReader(Files.newInputStream(file), allocator)) {
      return reader.getVectorSchemaRoot().getSchema();
    }
  }

  private List<Long> read(Path file) throws IOException {
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
