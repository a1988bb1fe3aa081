package io.turnkeeper.worker.work;

import io.turnkeeper.authority.Head;
import io.turnkeeper.core.ShardId;
import io.turnkeeper.core.table.Artifact;
import io.turnkeeper.core.table.WorkSpec.GenerationRange;
import io.turnkeeper.core.table.WorkSpec.MergeWal;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.lance.Dataset;
import org.lance.FragmentMetadata;
import org.lance.operation.Append;
import org.lance.operation.Delete;
import org.lance.operation.Operation;

/** Fragments made of a range of generations, which must still begin right behind the mark. */
record PreparedMerge(
    SortedMap<ShardId, GenerationRange> ranges,
    ColumnIds columns,
    List<FragmentMetadata> fragments,
    PreparedFiles files,
    Artifact artifact)
    implements Prepared {

  static PreparedMerge of(
      MergeWal spec,
      long readVersion,
      ColumnIds columns,
      List<FragmentMetadata> fragments,
      PreparedFiles files,
      long rows) {
    Artifact artifact =
        new Artifact(readVersion, List.of(), files.count(), files.bytes(), rows, "", 0, "");
    return new PreparedMerge(spec.ranges(), columns, fragments, files, artifact);
  }

  @Override
  public @Nullable String staleness(Dataset fresh, Head head) {
    for (var entry : ranges.entrySet()) {
      long merged = head.mergedThrough(entry.getKey());
      if (entry.getValue().first() != merged + 1) {
        return "expected the generations of shard "
            + entry.getKey()
            + " to begin at "
            + (merged + 1)
            + ", behind what is merged, but they begin at "
            + entry.getValue().first();
      }
    }
    ColumnIds now = ColumnIds.of(fresh);
    return now.equals(columns)
        ? null
        : "expected the columns " + columns.columns() + ", but they are " + now.columns();
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
    SortedMap<ShardId, Long> marks = new TreeMap<>();
    ranges.forEach((shard, range) -> marks.put(shard, range.last()));
    return marks;
  }
}
