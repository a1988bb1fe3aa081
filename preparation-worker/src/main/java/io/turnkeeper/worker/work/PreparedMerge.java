package io.turnkeeper.worker.work;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.turnkeeper.authority.Head;
import io.turnkeeper.core.ShardId;
import io.turnkeeper.core.table.Artifact;
import java.util.List;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;
import org.lance.Dataset;
import org.lance.FragmentMetadata;
import org.lance.operation.Append;
import org.lance.operation.Delete;
import org.lance.operation.Operation;

/** Fragments made of a range of generations, which must still begin right behind the mark. */
record PreparedMerge(
    MergeRanges ranges,
    ColumnIds columns,
    List<FragmentMetadata> fragments,
    PreparedFiles files,
    Artifact artifact)
    implements Prepared {
  static final String WORK = "append";

  @Override
  public @Nullable String staleness(Dataset fresh, Head head) {
    String stale = ranges.staleness(head);
    return stale == null ? columns.staleness(fresh) : stale;
  }

  @Override
  public Operation operation(Dataset fresh) {
    if (fragments.isEmpty()) {
      // Only empty or skipped generations: a version that changes nothing carries the mark.
      return Delete.builder()
          .deletedFragmentIds(List.of())
          .updatedFragments(List.of())
          .predicate("false")
          .build();
    }
    return Append.builder().fragments(fragments).build();
  }

  @Override
  public SortedMap<ShardId, Long> mergedThrough() {
    return ranges.mergedThrough();
  }

  @Override
  public String describe(ObjectNode into) {
    ranges.describe(into.putObject("shards"));
    columns.describe(into.putArray("columns"));
    FragmentJson.write(into.putArray("fragments"), fragments);
    return WORK;
  }

  static PreparedMerge read(JsonNode node, PreparedFiles files, Artifact artifact) {
    return new PreparedMerge(
        MergeRanges.read(node.required("shards")),
        ColumnIds.read(node.required("columns")),
        FragmentJson.read(node.required("fragments")),
        files,
        artifact);
  }
}
