package io.turnkeeper.worker.work;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import org.lance.Dataset;
import org.lance.Fragment;
import org.lance.index.Index;

/**
 * The segments of one index and what they cover, read from the table each time: Lance drops
 * fragments from a segment when they are rewritten.
 *
 * @param segments all rows of the index's name
 * @param live the fragments of the table, in order
 */
record IndexSegments(List<Index> segments, List<Integer> live) {

  static IndexSegments of(Dataset table, String name) {
    return new IndexSegments(
        table.getIndexes().stream().filter(index -> index.name().equals(name)).toList(),
        table.getFragments().stream().map(Fragment::getId).toList());
  }

  List<Integer> uncovered() {
    Set<Integer> covered = new HashSet<>();
    segments.forEach(segment -> covered.addAll(fragments(segment)));
    return live.stream().filter(fragment -> !covered.contains(fragment)).toList();
  }

  /** Segments of which no fragment lives any more; they only cost look-ups. */
  List<Index> dead() {
    Set<Integer> alive = new HashSet<>(live);
    return segments.stream()
        .filter(segment -> fragments(segment).stream().noneMatch(alive::contains))
        .toList();
  }

  Set<UUID> uuids() {
    return segments.stream().map(Index::uuid).collect(Collectors.toUnmodifiableSet());
  }

  private static List<Integer> fragments(Index segment) {
    return segment.fragments().orElse(List.of());
  }
}
