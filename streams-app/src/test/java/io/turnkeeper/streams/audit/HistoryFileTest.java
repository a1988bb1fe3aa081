package io.turnkeeper.streams.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.turnkeeper.core.policy.PolicyDocument;
import io.turnkeeper.events.JournalStep;
import io.turnkeeper.events.RecordCodec;
import io.turnkeeper.streams.BadExportException;
import io.turnkeeper.streams.HistoryFile;
import io.turnkeeper.streams.backtest.RecordedWorld;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A file that is no whole export is refused, whatever became of it. */
class HistoryFileTest {
  @TempDir static Path temp;

  private static Path packed;
  private static Path plain;

  @BeforeAll
  static void export() throws Exception {
    RecordedWorld world = RecordedWorld.under(PolicyDocument.EMPTY, true).run(10_000);
    packed = temp.resolve("whole.jsonl.gz");
    plain = temp.resolve("whole.jsonl");
    new HistoryFile(packed, new RecordCodec()).write(world);
    new HistoryFile(plain, new RecordCodec()).write(world);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 10, 50, 90, 99})
  void aPackedFileThatWasCutIsRefused(int percent) throws Exception {
    byte[] whole = Files.readAllBytes(packed);
    assertRefused(write("cut.gz", Arrays.copyOf(whole, whole.length * percent / 100)), "cut short");
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 10, 50, 90, 99})
  void aPlainFileThatWasCutIsRefused(int percent) throws Exception {
    byte[] whole = Files.readAllBytes(plain);
    assertRefused(write("cut", Arrays.copyOf(whole, whole.length * percent / 100)), "");
  }

  @Test
  void whatIsNotPackedThoughItsNameSaysSoIsRefused() throws Exception {
    assertRefused(write("plain.gz", Files.readAllBytes(plain)), "its name ends with .gz");
  }

  @Test
  void packedBytesThatWereChangedAreRefused() throws Exception {
    byte[] changed = Files.readAllBytes(packed);
    for (int i = changed.length / 2; i < changed.length / 2 + 64; i++) {
      changed[i] ^= 0x55;
    }
    assertRefused(write("changed.gz", changed), "");
  }

  @Test
  void aLineThatIsMissingIsRefused() throws Exception {
    List<String> lines = Files.readAllLines(plain);
    lines.remove(1);
    assertRefused(Files.write(temp.resolve("missing"), lines), "entries in");
  }

  @Test
  void aStepWithoutItsBytesIsRefusedByItsLine() throws Exception {
    List<String> lines = Files.readAllLines(plain);
    lines.set(1, "{\"partition\":0,\"of\":\"tables\"}");
    assertRefused(Files.write(temp.resolve("empty-step"), lines), "line 2 of");
  }

  @Test
  void whatCanBeReadMustBeWhatTheBytesSay() throws Exception {
    for (String[] change :
        new String[][] {
          {"\"event\":{\"type\":\"TableRegistered\"", "\"event\":{\"type\":\"Tick\"", "event"},
          {"0,\"sequence\":5,\"time", "0,\"sequence\":4,\"time", "sequence"},
          {"\"time\":\"2", "\"time\":\"1", "time"},
          {"\"source\":null", "\"source\":{}", "source"},
          {"\"decisions\":[{\"index\":0", "\"decisions\":[{\"index\":1", "decisions"}
        }) {
      List<String> lines = Files.readAllLines(plain);
      int line = 0;
      while (line < lines.size() - 1 && !lines.get(line).contains(change[0])) {
        line++;
      }
      assertThat(lines.get(line)).contains(change[0]);
      lines.set(line, lines.get(line).replace(change[0], change[1]));
      Path file = Files.write(temp.resolve("altered"), lines);
      assertRefused(file, "ALTERED: line " + (line + 1) + " of " + file);
      assertRefused(file, change[2] + " is …");
    }
  }

  @Test
  void anUnchangedExportIsRead() throws Exception {
    List<JournalStep> read = new ArrayList<>();
    HistoryFile file = new HistoryFile(packed, new RecordCodec());
    file.tables(read::add);
    file.pools(read::add);
    assertThat(read).hasSizeGreaterThan(10);
  }

  private static Path write(String name, byte[] bytes) throws Exception {
    return Files.write(temp.resolve(name), bytes);
  }

  private static void assertRefused(Path file, String reason) {
    HistoryFile history = new HistoryFile(file, new RecordCodec());
    assertThatThrownBy(() -> history.tables(step -> {}))
        .isInstanceOf(BadExportException.class)
        .hasMessageContaining(file.toString())
        .hasMessageContaining(reason);
  }
}
