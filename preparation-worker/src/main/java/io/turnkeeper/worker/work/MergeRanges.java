package io.turnkeeper.worker.work;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.turnkeeper.authority.Head;
import io.turnkeeper.core.ShardId;
import io.turnkeeper.core.table.WorkSpec.GenerationRange;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The generations that one merge takes; they must still begin right behind the merged marks. */
record MergeRanges(SortedMap<ShardId, GenerationRange> byShard) {
  MergeRanges {
    byShard = Collections.unmodifiableSortedMap(new TreeMap<>(byShard));
  }

  /** Why they cannot be merged on top of {@code head}, or null. */
  @Nullable String staleness(Head head) {
    for (var entry : byShard.entrySet()) {
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
    return null;
  }

  SortedMap<ShardId, Long> mergedThrough() {
    SortedMap<ShardId, Long> marks = new TreeMap<>();
    byShard.forEach((shard, range) -> marks.put(shard, range.last()));
    return marks;
  }

  void describe(ObjectNode into) {
    byShard.forEach(
        (shard, range) ->
            into.putObject(shard.value()).put("first", range.first()).put("last", range.last()));
  }

  static MergeRanges read(JsonNode node) {
    SortedMap<ShardId, GenerationRange> ranges = new TreeMap<>();
    node.properties()
        .forEach(
            entry ->
                ranges.put(
                    new ShardId(entry.getKey()),
                    new GenerationRange(
                        entry.getValue().required("first").longValue(),
                        entry.getValue().required("last").longValue())));
    return new MergeRanges(ranges);
  }
}
