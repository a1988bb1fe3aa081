package io.turnkeeper.events.wal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.turnkeeper.events.storage.Draft;
import io.turnkeeper.events.storage.ForwardingStorage;
import io.turnkeeper.events.storage.Storage;
import java.io.IOException;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.Files;
import org.junit.jupiter.api.Test;

/** No writer replaces or acknowledges what another writer's shard cannot hold. */
class WalFencingTest extends WalTestCase {
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
          new HookedStorage() {
            @Override
            boolean publish(Draft draft) throws IOException {
              sealed(successor);
              append(successor, 11);
              sealed(successor);
              Files.delete(file(1)); // Merged and retired while this writer slept.
              return draft.publish();
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
        new HookedStorage() {
          @Override
          boolean publish(Draft draft) throws IOException {
            boolean created = draft.publish();
            try (WalWriter successor = open()) {
              append(successor, 2);
              sealed(successor);
            }
            return created;
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
        new HookedStorage() {
          private boolean failed;

          @Override
          boolean publish(Draft draft) throws IOException {
            boolean created = draft.publish();
            if (!failed) {
              failed = true;
              throw new IOException("disk is tired");
            }
            return created;
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

  /** Lets a test stand before or after the moment in which a generation gets its name. */
  private abstract class HookedStorage extends ForwardingStorage {
    HookedStorage() {
      super(Storage.at(wal.toString()));
    }

    abstract boolean publish(Draft draft) throws IOException;

    @Override
    public Draft draft(String name) throws IOException {
      Draft draft = super.draft(name);
      return new Draft() {
        @Override
        public SeekableByteChannel channel() {
          return draft.channel();
        }

        @Override
        public boolean publish() throws IOException {
          return HookedStorage.this.publish(draft);
        }

        @Override
        public void close() throws IOException {
          draft.close();
        }
      };
    }
  }

  private WalWriter openHooked(Storage log) throws IOException {
    return WalWriter.open(TABLE, 2, log, SHARD, this::announce, CLOCK);
  }
}
