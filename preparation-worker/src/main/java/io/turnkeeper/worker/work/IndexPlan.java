package io.turnkeeper.worker.work;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.turnkeeper.core.table.IndexSpec;
import io.turnkeeper.core.table.WorkSpec.BuildIndex;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import org.lance.Dataset;
import org.lance.index.Index;

/**
 * What one index unit builds: the whole index anew, or a segment for what is not covered.
 *
 * @param fragments what to read
 * @param before the segments that are there now
 * @param removed those that go with the publication
 */
record IndexPlan(List<Integer> fragments, Set<UUID> before, Set<UUID> removed) {
  /** From so many segments on, look-ups slow down and compaction is held back. */
  static final int MAX_SEGMENTS = 8;

  static IndexPlan of(Dataset table, BuildIndex spec, int fieldId, boolean damaged) {
    IndexSpec index = spec.index();
    IndexSegments now = IndexSegments.of(table, index.name());
    Set<UUID> dead = now.dead().stream().map(Index::uuid).collect(Collectors.toSet());
    int livingSegments = now.segments().size() - dead.size();
    boolean full =
        damaged
            || livingSegments == 0
            || livingSegments >= MAX_SEGMENTS
            || now.mayHoldOutdated()
            || !now.segments().stream().allMatch(segment -> isOf(segment, index, fieldId));
    List<Integer> wanted = full ? now.live() : now.uncovered();
    return new IndexPlan(
        wanted.stream()
            .filter(fragment -> !spec.excludedFragments().contains((long) fragment))
            .toList(),
        now.uuids(),
        full ? now.uuids() : Set.copyOf(dead));
  }

  private static boolean isOf(Index segment, IndexSpec index, int fieldId) {
    return segment.fields().equals(List.of(fieldId))
        && segment.indexType() == IndexTypes.ofLance(index.type());
  }

  List<Long> sourceFragments() {
    return fragments.stream().map(Integer::longValue).toList();
  }

  void describe(ObjectNode into) {
    fragments.forEach(into.putArray("fragments")::add);
    before.forEach(uuid -> into.withArray("before").add(uuid.toString()));
    removed.forEach(uuid -> into.withArray("removed").add(uuid.toString()));
  }

  static IndexPlan read(JsonNode node) {
    return new IndexPlan(
        Numbers.ints(node.required("fragments")),
        uuids(node.path("before")),
        uuids(node.path("removed")));
  }

  private static Set<UUID> uuids(JsonNode array) {
    Set<UUID> uuids = new HashSet<>();
    array.forEach(uuid -> uuids.add(UUID.fromString(uuid.textValue())));
    return Set.copyOf(uuids);
  }
}
