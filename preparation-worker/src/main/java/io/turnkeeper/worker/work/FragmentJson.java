package io.turnkeeper.worker.work;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.lance.FragmentMetadata;
import org.lance.fragment.DataFile;
import org.lance.fragment.DeletionFile;
import org.lance.fragment.DeletionFileType;
import org.lance.fragment.RowIdMeta;
import org.lance.fragment.VersionMeta;

/** Fragments in a descriptor: all that Lance keeps of them, since a commit writes it again. */
final class FragmentJson {
  private FragmentJson() {}

  static void write(ArrayNode into, List<FragmentMetadata> fragments) {
    fragments.forEach(fragment -> write(into.addObject(), fragment));
  }

  static List<FragmentMetadata> read(JsonNode array) {
    List<FragmentMetadata> fragments = new ArrayList<>();
    array.forEach(node -> fragments.add(fragment(node)));
    return List.copyOf(fragments);
  }

  private static void write(ObjectNode into, FragmentMetadata fragment) {
    into.put("id", fragment.getId()).put("physicalRows", fragment.getPhysicalRows());
    ArrayNode files = into.putArray("files");
    fragment.getFiles().forEach(file -> write(files.addObject(), file));
    DeletionFile deletions = fragment.getDeletionFile();
    if (deletions != null) {
      into.putObject("deletions")
          .put("id", deletions.getId())
          .put("readVersion", deletions.getReadVersion())
          .put("rows", deletions.getNumDeletedRows())
          .put("type", deletions.getFileType().name().toLowerCase(Locale.ROOT));
    }
    RowIdMeta rowIds = fragment.getRowIdMeta();
    into.put("rowIds", rowIds == null ? null : rowIds.getMetadata());
    into.put("createdAt", text(fragment.getCreatedAtVersionMeta()));
    into.put("updatedAt", text(fragment.getLastUpdatedAtVersionMeta()));
  }

  private static @Nullable String text(@Nullable VersionMeta version) {
    return version == null ? null : version.getMetadata();
  }

  private static void write(ObjectNode into, DataFile file) {
    into.put("path", file.getPath());
    ArrayNode fields = into.putArray("fields");
    for (int field : file.getFields()) {
      fields.add(field);
    }
    ArrayNode columns = into.putArray("columns");
    for (int column : file.getColumnIndices()) {
      columns.add(column);
    }
    into.put("major", file.getFileMajorVersion())
        .put("minor", file.getFileMinorVersion())
        .put("bytes", file.getFileSizeBytes());
  }

  private static FragmentMetadata fragment(JsonNode node) {
    List<DataFile> files = new ArrayList<>();
    node.required("files").forEach(file -> files.add(file(file)));
    JsonNode deletions = node.get("deletions");
    String rowIds = node.required("rowIds").textValue();
    return new FragmentMetadata(
        node.required("id").intValue(),
        files,
        node.required("physicalRows").longValue(),
        deletions == null ? null : deletions(deletions),
        rowIds == null ? null : new RowIdMeta(rowIds),
        version(node.required("createdAt")),
        version(node.required("updatedAt")));
  }

  private static @Nullable VersionMeta version(JsonNode node) {
    String text = node.textValue();
    return text == null ? null : new VersionMeta(text);
  }

  private static DeletionFile deletions(JsonNode node) {
    return new DeletionFile(
        node.required("id").longValue(),
        node.required("readVersion").longValue(),
        number(node.required("rows")),
        DeletionFileType.valueOf(node.required("type").textValue().toUpperCase(Locale.ROOT)),
        null);
  }

  private static DataFile file(JsonNode node) {
    return new DataFile(
        node.required("path").textValue(),
        Numbers.intArray(node.required("fields")),
        Numbers.intArray(node.required("columns")),
        node.required("major").intValue(),
        node.required("minor").intValue(),
        number(node.required("bytes")),
        null);
  }

  private static @Nullable Long number(JsonNode node) {
    return node.isNull() ? null : node.longValue();
  }
}
