package io.turnkeeper.local.verify;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;

/** What one writer wrote down of the generations it sealed, one line of JSON for each. */
public final class SealRecord implements AutoCloseable {
  private static final ObjectMapper JSON = new ObjectMapper();

  private final Path file;
  private final Writer out;

  private SealRecord(Path file, Writer out) {
    this.file = file;
    this.out = out;
  }

  /**
   * One sealed generation; its ids are the {@code rows} numbers from {@code firstNumber} on.
   *
   * @param shard also the prefix of the ids
   */
  public record Sealed(String shard, long generation, long rows, long firstNumber) {}

  /** Opens the file to append to it. */
  public static SealRecord open(Path file) throws IOException {
    return new SealRecord(
        file, Files.newBufferedWriter(file, StandardOpenOption.CREATE, StandardOpenOption.APPEND));
  }

  /** Writes one line, after the seal was acknowledged. */
  public void add(Sealed sealed) throws IOException {
    out.write(JSON.writeValueAsString(sealed));
    out.write('\n');
    out.flush();
  }

  /** Reads what was written; nothing if the file does not exist yet. */
  public static List<Sealed> read(Path file) throws IOException {
    List<Sealed> lines = new ArrayList<>();
    if (!Files.exists(file)) {
      return lines;
    }
    for (String line : Files.readAllLines(file)) {
      lines.add(JSON.readValue(line, Sealed.class));
    }
    return lines;
  }

  @Override
  public void close() throws IOException {
    out.close();
  }

  @Override
  public String toString() {
    return file.toString();
  }
}
