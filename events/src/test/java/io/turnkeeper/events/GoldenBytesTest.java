package io.turnkeeper.events;

import static org.assertj.core.api.Assertions.assertThat;

import io.turnkeeper.core.table.WorkSpec;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * The bytes of every record, pinned. A golden file that was released never changes. To write the
 * file of a new sample: {@code mvn -pl events -am test -Dtest=GoldenBytesTest
 * -Dturnkeeper.test.flags=-Dgolden=write -Dsurefire.failIfNoSpecifiedTests=false}.
 */
class GoldenBytesTest {
  private static final Path FOLDER = Path.of("src/test/resources/golden");
  private static final int LINE = 64;

  private final RecordCodec codec = new RecordCodec();

  @Test
  void everyRecordThatTravelsHasASample() {
    Set<String> needed = new HashSet<>();
    for (Class<?> type : WireTypes.all()) {
      needed.add(type.getSimpleName());
    }
    WireTypes.FAMILIES.open().keySet().stream()
        .flatMap(family -> WireTypes.FAMILIES.recordsOf(family).stream())
        .forEach(type -> needed.add(type.getSimpleName()));
    WireTypes.FAMILIES.recordsOf(WorkSpec.class).forEach(type -> needed.add(type.getSimpleName()));

    assertThat(Samples.golden().keySet()).containsAll(needed);
  }

  @Test
  void bytesAreTheGoldenBytes() throws Exception {
    for (Map.Entry<String, Object> sample : Samples.golden().entrySet()) {
      Path file = FOLDER.resolve(sample.getKey() + ".hex");
      byte[] bytes = codec.encode(sample.getValue());
      if ("write".equals(System.getProperty("golden")) && !Files.exists(file)) {
        Files.createDirectories(FOLDER);
        Files.writeString(file, lines(bytes));
      }
      assertThat(file).as("golden bytes, see the class comment").exists();
      assertThat(bytes).as(sample.getKey()).isEqualTo(read(file));
      assertThat(codec.decode(read(file))).as(sample.getKey()).isEqualTo(sample.getValue());
    }
  }

  @Test
  void noGoldenFileIsLeftOver() throws Exception {
    try (var files = Files.list(FOLDER)) {
      assertThat(
              files
                  .map(file -> file.getFileName().toString().replace(".hex", ""))
                  .collect(Collectors.toSet()))
          .isEqualTo(Samples.golden().keySet());
    }
  }

  private static String lines(byte[] bytes) {
    return HexFormat.of().formatHex(bytes).replaceAll("(.{" + LINE + "})", "$1\n").strip() + "\n";
  }

  private static byte[] read(Path file) throws IOException {
    String hex = Files.readString(file, StandardCharsets.US_ASCII).replaceAll("\\s", "");
    return HexFormat.of().parseHex(hex);
  }
}
