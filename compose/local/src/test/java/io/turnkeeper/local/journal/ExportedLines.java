package io.turnkeeper.local.journal;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.zip.GZIPInputStream;

/** An exported history in which a test plants faults. */
final class ExportedLines {
  private static final ObjectMapper JSON = new ObjectMapper();

  private final List<String> lines;
  private final Path folder;

  ExportedLines(Path packed, Path folder) throws IOException {
    this.folder = folder;
    try (BufferedReader in =
        new BufferedReader(
            new InputStreamReader(new GZIPInputStream(Files.newInputStream(packed)), UTF_8))) {
      lines = in.lines().toList();
    }
  }

  /** A copy without its last line. */
  Path cutShort() throws IOException {
    return written("cut", lines.subList(0, lines.size() - 1));
  }

  /** A copy without the last line that is wanted. */
  Path without(Predicate<JsonNode> wanted) throws IOException {
    List<String> copy = new ArrayList<>(lines);
    copy.remove(last(wanted));
    return written("without", copy);
  }

  /** A copy whose last line that is wanted is another. */
  Path with(Predicate<JsonNode> wanted, UnaryOperator<String> changed) throws IOException {
    List<String> copy = new ArrayList<>(lines);
    int index = last(wanted);
    String line = changed.apply(copy.get(index));
    if (line.equals(copy.get(index))) {
      throw new AssertionError("expected the fault to change " + line);
    }
    copy.set(index, line);
    return written("with", copy);
  }

  private int last(Predicate<JsonNode> wanted) throws IOException {
    for (int index = lines.size() - 1; index >= 0; index--) {
      if (wanted.test(JSON.readTree(lines.get(index)))) {
        return index;
      }
    }
    throw new AssertionError("expected such a line in the export");
  }

  private Path written(String name, List<String> copy) throws IOException {
    return Files.write(folder.resolve(name + ".jsonl"), copy);
  }
}
