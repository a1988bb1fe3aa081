package io.turnkeeper.events.wal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.turnkeeper.core.table.DemandEvent.SealSource;
import io.turnkeeper.core.table.DemandEvent.WalSealed;
import io.turnkeeper.events.storage.Storage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.junit.jupiter.api.Test;

class WalWriterTest extends WalTestCase {
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
  void pathsMayBeUrisWithAnyLetters() throws Exception {
    Path folder = wal.resolve("straße 東京");
    try (WalWriter writer =
        WalWriter.open(TABLE, 2, folder.toUri().toString(), SHARD, this::announce, CLOCK)) {
      append(writer, 1);
      sealed(writer);
    }
    assertThat(read(folder.resolve("a").resolve(WalLayout.fileName(1)))).containsExactly(1L);
    assertThat(WalScan.shards(Storage.at(folder.toString()), Map.of())).containsOnlyKeys(SHARD);
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
}
