package io.turnkeeper.streams;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.turnkeeper.events.InvalidRecordException;
import io.turnkeeper.events.JournalStep;
import io.turnkeeper.events.RecordCodec;
import io.turnkeeper.events.StepJson;
import java.io.BufferedReader;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import java.util.zip.ZipException;
import org.jspecify.annotations.Nullable;

/**
 * History in a file of JSON lines, packed if its name ends with {@code .gz}. Reading throws {@link
 * BadExportException} if the file is no whole export.
 */
public final class HistoryFile implements History {
  private static final String OF = "of";
  private static final String TABLES = "tables";
  private static final String POOLS = "pools";

  // What the lines of each sort begin with.
  private static final String STEP = "{\"partition\"";
  private static final String STATE = "{\"state\"";
  private static final String END = "{\"end\"";
  private static final List<String> SORTS = List.of(STEP, STATE, END);

  private static final ObjectMapper JSON = new ObjectMapper();

  private final Path file;
  private final StepJson steps;

  /** Opens nothing yet; each reading opens the file anew. */
  public HistoryFile(Path file, RecordCodec codec) {
    this.file = file;
    this.steps = new StepJson(codec);
  }

  /**
   * Writes all of {@code from} into the file.
   *
   * @return how many steps
   */
  public long write(History from) throws IOException, InvalidRecordException, ConfigException {
    List<KnownState> known = from.known();
    long[] count = {0};
    try (Writer out = writer()) {
      from.tables(step -> count[0] += write(out, steps.whole(step).put(OF, TABLES)));
      from.pools(step -> count[0] += write(out, steps.whole(step).put(OF, POOLS)));
      for (KnownState state : known) {
        write(out, line(state));
      }
      write(out, JSON.createObjectNode().put("end", count[0]));
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
    return count[0];
  }

  private static int write(Writer out, JsonNode line) {
    try {
      out.write(line.toString());
      out.write('\n');
      return 1;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static ObjectNode line(KnownState state) {
    return JSON.createObjectNode()
        .put("state", state.key())
        .put(OF, state.pool() ? POOLS : TABLES)
        .put("where", state.where())
        .put("partition", state.partition())
        .put("sequence", state.sequence())
        .put("digest", state.digest());
  }

  @Override
  public void tables(Consumer<JournalStep> into) throws IOException {
    read(TABLES, into);
  }

  @Override
  public void pools(Consumer<JournalStep> into) throws IOException {
    read(POOLS, into);
  }

  private void read(String of, Consumer<JournalStep> into) throws IOException {
    lines(
        STEP,
        node -> {
          if (node.path(OF).asText().equals(of)) {
            JournalStep step = steps.read(node);
            String difference = steps.difference(node);
            if (difference != null) {
              return difference;
            }
            into.accept(step);
          }
          return null;
        });
  }

  @Override
  public List<KnownState> known() throws IOException {
    List<KnownState> known = new ArrayList<>();
    lines(
        STATE,
        node -> {
          known.add(
              new KnownState(
                  node.path("where").asText(),
                  node.path(OF).asText().equals(POOLS),
                  node.path("partition").asInt(),
                  node.path("state").asText(),
                  node.path("sequence").asLong(),
                  node.path("digest").asText()));
          return null;
        });
    return known;
  }

  private interface Line {
    /** Answers with what contradicts itself in the line, null for nothing. */
    @Nullable String take(JsonNode node) throws InvalidRecordException;
  }

  private void lines(String beginning, Line into) throws IOException {
    long entries = 0;
    long expected = -1;
    long number = 0;
    try (BufferedReader in = reader()) {
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        number++;
        if (SORTS.stream().noneMatch(line::startsWith)) {
          throw notOfAnExport(number, null);
        }
        entries += line.startsWith(STEP) ? 1 : 0;
        if (line.startsWith(END)) {
          expected = parsed(line, number).path("end").asLong();
        }
        if (line.startsWith(beginning)) {
          taken(line, number, into);
        }
      }
    } catch (EOFException e) {
      throw cut("it ends within packed data", e);
    } catch (ZipException e) {
      throw new BadExportException(
          "expected an export that is packed, since its name ends with .gz, but "
              + file
              + " cannot be unpacked after "
              + number
              + " lines: "
              + e.getMessage(),
          e);
    }
    if (expected < 0) {
      throw cut("its last line is missing", null);
    }
    if (entries != expected) {
      throw new BadExportException(
          "expected " + expected + " entries in " + file + ", but there are " + entries, null);
    }
  }

  private void taken(String line, long number, Line into) throws IOException {
    JsonNode node = parsed(line, number);
    String contradiction;
    try {
      contradiction = into.take(node);
    } catch (InvalidRecordException e) {
      throw notOfAnExport(number, e);
    }
    if (contradiction != null) {
      throw new BadExportException(
          "ALTERED: line " + number + " of " + file + " was changed: " + contradiction, null);
    }
  }

  private JsonNode parsed(String line, long number) throws BadExportException {
    try {
      return JSON.readTree(line);
    } catch (JsonProcessingException e) {
      throw notOfAnExport(number, e);
    }
  }

  private BadExportException notOfAnExport(long number, @Nullable Throwable cause) {
    return new BadExportException(
        "expected what 'journal export' writes, but line " + number + " of " + file + " is not",
        cause);
  }

  private BadExportException cut(String how, @Nullable Throwable cause) {
    return new BadExportException(
        "expected a whole export, but " + file + " was cut short: " + how, cause);
  }

  private BufferedReader reader() throws IOException {
    InputStream in = Files.newInputStream(file);
    try {
      return new BufferedReader(
          new InputStreamReader(isPacked() ? new GZIPInputStream(in) : in, UTF_8));
    } catch (IOException e) {
      in.close();
      throw e;
    }
  }

  private Writer writer() throws IOException {
    return isPacked()
        ? new OutputStreamWriter(new GZIPOutputStream(Files.newOutputStream(file)), UTF_8)
        : Files.newBufferedWriter(file);
  }

  private boolean isPacked() {
    return file.toString().endsWith(".gz");
  }

  @Override
  public void close() {
    // Each reading closes what it opened.
  }
}
