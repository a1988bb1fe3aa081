package io.turnkeeper.events.wal;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.turnkeeper.events.storage.Storage;
import java.nio.file.Files;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class WalScanTest extends WalTestCase {
  @Test
  void anUnreadableGenerationCountsItsBytesOnly() throws Exception {
    writePlain(file(1), 1, 2, 3);
    Files.writeString(file(2), "this is not Arrow at all");
    Files.write(file(3), new byte[0]);
    byte[] whole = Files.readAllBytes(file(1));
    Files.write(file(4), java.util.Arrays.copyOf(whole, whole.length / 2));

    WalMark mark = requireNonNull(scan(Map.of()).get(SHARD));

    assertThat(mark.sealedThrough()).isEqualTo(4);
    assertThat(mark.bytesThrough()).isEqualTo(whole.length + 24 + whole.length / 2);
    assertThat(mark.rowsThrough()).isBetween(3L, 6L);
  }

  @Test
  void aHoleRightBehindTheMergedMarkIsNotPassed() throws Exception {
    writePlain(file(5), 1);
    writePlain(file(6), 2);

    assertThat(scan(Map.of(SHARD, 3L))).isEmpty();
    writePlain(file(2), 3);
    assertThat(scan(Map.of(SHARD, 3L)).get(SHARD)).extracting(WalMark::sealedThrough).isEqualTo(2L);
    assertThat(scan(Map.of(SHARD, 4L)).get(SHARD)).extracting(WalMark::sealedThrough).isEqualTo(6L);
  }

  @Test
  void aFolderThatIsNoShardsIsLeftOut() throws Exception {
    writePlain(file(1), 1);
    Files.createDirectories(wal.resolve("not a shard"));
    writePlain(wal.resolve("not a shard").resolve(WalLayout.fileName(1)), 1);

    assertThat(scan(Map.of())).containsOnlyKeys(SHARD);
  }

  @Test
  void aScanStopsAtAHole() throws Exception {
    writePlain(file(1), 1, 2);
    writePlain(file(2), 3);
    writePlain(file(4), 4);
    Files.writeString(file(5).resolveSibling("notes.txt"), "x");

    WalMark mark = requireNonNull(scan(Map.of()).get(SHARD));

    assertThat(mark.sealedThrough()).isEqualTo(2);
    assertThat(mark.rowsThrough()).isEqualTo(3);
    assertThat(WalScan.shards(Storage.at(wal.resolve("none").toString()), Map.of())).isEmpty();
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
}
