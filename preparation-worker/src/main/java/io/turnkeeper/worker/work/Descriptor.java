package io.turnkeeper.worker.work;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.turnkeeper.core.table.Artifact;
import io.turnkeeper.core.table.Assignment.RunUnit;
import io.turnkeeper.events.storage.Storage;
import io.turnkeeper.worker.authority.Sha256;
import java.io.IOException;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * What one preparation made, as a JSON document beside the table: its files with their sizes, the
 * version it rests on, and what to commit. It is complete before the first file gets its name in
 * the table, so what a dead process left can be found and deleted.
 */
public final class Descriptor {
  /** Raised with every change that an older reader would misunderstand. */
  static final int VERSION = 1;

  private static final ObjectMapper JSON = new ObjectMapper();

  private Descriptor() {}

  static void write(String name, RunUnit unit, Prepared prepared) throws IOException {
    Storage table = prepared.files().table();
    ObjectNode node = JSON.createObjectNode();
    node.put("version", VERSION)
        .put("unit", unit.attempt().unit().toString())
        .put("attempt", unit.attempt().number())
        .put("executor", unit.attempt().executor().value())
        .put("incarnation", unit.attempt().incarnation())
        .put("table", table.location());
    ObjectNode files = node.putObject("files");
    prepared.files().sizes().forEach(files::put);
    node.put("readVersion", prepared.artifact().readVersion())
        .put("rows", prepared.artifact().rows());
    prepared.artifact().sourceFragments().forEach(node.putArray("sourceFragments")::add);
    ObjectNode work = JSON.createObjectNode();
    node.put("work", prepared.describe(work)).set("prepared", work);
    byte[] content = JSON.writerWithDefaultPrettyPrinter().writeValueAsBytes(node);
    if (!table.createIfAbsent(name, content)) {
      throw new IOException("expected " + name + " to be new, but it is there");
    }
  }

  /** The files that the preparation described in {@code name} wrote. */
  static PreparedFiles files(Storage table, String name) throws IOException {
    return parsed(table, name, node -> files(table, node));
  }

  /** The version that the preparation described in {@code name} rests on. */
  static long readVersion(Storage table, String name) throws IOException {
    return parsed(table, name, node -> node.required("readVersion").longValue());
  }

  private static <T> T parsed(Storage table, String name, Function<JsonNode, T> part)
      throws IOException {
    try {
      return part.apply(JSON.readTree(table.content(name)));
    } catch (JsonProcessingException | IllegalArgumentException e) {
      throw new IOException("expected " + name + " to describe a preparation, but " + e, e);
    }
  }

  private static PreparedFiles files(Storage table, JsonNode node) {
    SortedMap<String, Long> sizes = new TreeMap<>();
    node.required("files")
        .properties()
        .forEach(file -> sizes.put(file.getKey(), file.getValue().longValue()));
    return new PreparedFiles(table, sizes);
  }

  /**
   * Reads the preparation described in {@code name}.
   *
   * @param peakBytes the most memory that preparing it took
   */
  public static Prepared read(Storage table, String name, long peakBytes) throws IOException {
    byte[] bytes = table.content(name);
    JsonNode node = JSON.readTree(bytes);
    int version = node.required("version").intValue();
    if (version != VERSION) {
      throw new IOException(
          "expected " + name + " to have version " + VERSION + ", but it has " + version);
    }
    PreparedFiles files = files(table, node);
    List<Long> sources = Numbers.longs(node.required("sourceFragments"));
    Artifact artifact =
        new Artifact(
            node.required("readVersion").longValue(),
            sources,
            files.count(),
            files.bytes(),
            node.required("rows").longValue(),
            Sha256.hex(bytes),
            peakBytes,
            table.location() + "/" + name);
    JsonNode work = node.required("prepared");
    String kind = node.required("work").textValue();
    return switch (kind) {
      case PreparedMerge.WORK -> PreparedMerge.read(work, files, artifact);
      case PreparedUpsert.WORK -> PreparedUpsert.read(work, files, artifact);
      case PreparedCompaction.WORK -> PreparedCompaction.read(work, files, artifact);
      case PreparedRepair.WORK -> PreparedRepair.read(work, files, artifact);
      case PreparedIndex.WORK -> PreparedIndex.read(work, files, artifact);
      default ->
          throw new IOException("expected a known kind of work in " + name + ", but " + kind);
    };
  }

  /** What a preparation tells of itself before it is described. */
  static Artifact artifact(
      long readVersion, List<Long> sourceFragments, PreparedFiles files, long rows) {
    return new Artifact(
        readVersion, sourceFragments, files.count(), files.bytes(), rows, "", 0, "");
  }
}
