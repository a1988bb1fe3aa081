package io.turnkeeper.worker.work;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.turnkeeper.authority.Head;
import io.turnkeeper.core.ShardId;
import io.turnkeeper.core.table.Artifact;
import io.turnkeeper.core.table.IndexSpec;
import io.turnkeeper.core.table.IndexType;
import java.io.IOException;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.lance.Dataset;
import org.lance.index.Index;
import org.lance.operation.CreateIndex;
import org.lance.operation.Operation;
import org.lance.schema.LanceField;

/**
 * A segment of an index. It is published at the version and for the fragments it was built from:
 * with a newer version or other fragments Lance would take it for complete and lose rows.
 */
record PreparedIndex(
    IndexSpec index,
    String fieldType,
    Index segment,
    IndexPlan plan,
    ColumnFiles columnFiles,
    PreparedFiles files,
    Artifact artifact)
    implements Prepared {
  static final String WORK = "index";

  static PreparedIndex of(
      IndexSpec index,
      LanceField field,
      Index built,
      IndexPlan plan,
      ColumnFiles columnFiles,
      long readVersion,
      PreparedFiles files,
      long rows) {
    Index segment =
        Index.builder()
            .uuid(built.uuid())
            .name(index.name())
            .fields(List.of(field.getId()))
            .datasetVersion(readVersion)
            .fragments(plan.fragments())
            .indexDetails(built.indexDetails().orElse(null))
            .indexVersion(built.indexVersion())
            .createdAt(Instant.now())
            .indexType(IndexTypes.ofLance(index.type()))
            .build();
    Artifact artifact = Descriptor.artifact(readVersion, plan.sourceFragments(), files, rows);
    return new PreparedIndex(
        index, field.getLogicalType(), segment, plan, columnFiles, files, artifact);
  }

  private int fieldId() {
    return segment.fields().get(0);
  }

  @Override
  public @Nullable String staleness(Dataset fresh, Head head) {
    LanceField field = ColumnIds.withId(fresh, fieldId());
    if (field == null || !field.getLogicalType().equals(fieldType)) {
      return "expected column '"
          + index.column()
          + "' with field id "
          + fieldId()
          + " and type "
          + fieldType
          + ", but "
          + (field == null ? "it is gone" : "its type is " + field.getLogicalType());
    }
    Integer moved = columnFiles.movedIn(ColumnFiles.of(fresh, fieldId()), plan.fragments());
    if (moved != null) {
      return "expected column '"
          + index.column()
          + "' of fragment "
          + moved
          + " where it was at version "
          + artifact.readVersion()
          + ", but it was rewritten";
    }
    IndexSegments now = IndexSegments.of(fresh, index.name());
    return now.uuids().equals(plan.before())
        ? null
        : "expected the segments "
            + plan.before()
            + " of index '"
            + index.name()
            + "', but there are "
            + now.uuids();
  }

  @Override
  public Operation operation(Dataset fresh) {
    List<Index> removed =
        IndexSegments.of(fresh, index.name()).segments().stream()
            .filter(old -> plan.removed().contains(old.uuid()))
            .toList();
    return CreateIndex.builder()
        .withNewIndices(List.of(segment))
        .withRemovedIndices(removed)
        .build();
  }

  @Override
  public SortedMap<ShardId, Long> mergedThrough() {
    return Collections.unmodifiableSortedMap(new TreeMap<>());
  }

  @Override
  public String describe(ObjectNode into) {
    into.putObject("index")
        .put("name", index.name())
        .put("column", index.column())
        .put("type", index.type().name());
    into.put("fieldType", fieldType);
    ObjectNode built = into.putObject("segment");
    built
        .put("uuid", segment.uuid().toString())
        .put("field", fieldId())
        .put("version", segment.indexVersion())
        .put("createdAt", segment.createdAt().map(Instant::toString).orElse(null))
        .put("details", segment.indexDetails().orElse(null));
    plan.describe(into.putObject("plan"));
    ObjectNode places = into.putObject("columnFiles");
    columnFiles
        .byFragment()
        .forEach((fragment, place) -> places.put(Integer.toString(fragment), place));
    return WORK;
  }

  static PreparedIndex read(JsonNode node, PreparedFiles files, Artifact artifact)
      throws IOException {
    JsonNode named = node.required("index");
    IndexSpec index =
        new IndexSpec(
            named.required("name").textValue(),
            named.required("column").textValue(),
            IndexType.valueOf(named.required("type").textValue()));
    IndexPlan plan = IndexPlan.read(node.required("plan"));
    JsonNode built = node.required("segment");
    Index segment =
        Index.builder()
            .uuid(UUID.fromString(built.required("uuid").textValue()))
            .name(index.name())
            .fields(List.of(built.required("field").intValue()))
            .datasetVersion(artifact.readVersion())
            .fragments(plan.fragments())
            .indexDetails(built.required("details").binaryValue())
            .indexVersion(built.required("version").intValue())
            .createdAt(Instant.parse(built.required("createdAt").textValue()))
            .indexType(IndexTypes.ofLance(index.type()))
            .build();
    Map<Integer, String> places = new TreeMap<>();
    node.required("columnFiles")
        .properties()
        .forEach(
            place -> places.put(Integer.valueOf(place.getKey()), place.getValue().textValue()));
    return new PreparedIndex(
        index,
        node.required("fieldType").textValue(),
        segment,
        plan,
        new ColumnFiles(places),
        files,
        artifact);
  }
}
