package io.turnkeeper.worker.work;

import io.turnkeeper.authority.Head;
import io.turnkeeper.core.ShardId;
import io.turnkeeper.core.table.Artifact;
import io.turnkeeper.core.table.IndexSpec;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
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
    Artifact artifact =
        new Artifact(
            readVersion, plan.sourceFragments(), files.count(), files.bytes(), rows, "", 0, "");
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
}
