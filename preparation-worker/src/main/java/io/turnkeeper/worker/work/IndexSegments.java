package io.turnkeeper.worker.work;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.lance.Dataset;
import org.lance.Fragment;
import org.lance.fragment.DataFile;
import org.lance.index.Index;

/**
 * The segments of one index and what they cover, read from the table each time: Lance drops
 * fragments from a segment when they are rewritten.
 *
 * @param segments all rows of the index's name
 * @param live the fragments of the table, in order
 * @param rewritten those of which a column was rewritten in place
 */
record IndexSegments(List<Index> segments, List<Integer> live, Set<Integer> rewritten) {
  /** What stands for a column in a file that does not hold it any more. */
  private static final int GONE = -2;

  static IndexSegments of(Dataset table, String name) {
    return new IndexSegments(
        table.getIndexes().stream().filter(index -> index.name().equals(name)).toList(),
        table.getFragments().stream().map(Fragment::getId).toList(),
        table.getFragments().stream()
            .filter(
                fragment -> fragment.metadata().getFiles().stream().anyMatch(IndexSegments::lost))
            .map(Fragment::getId)
            .collect(Collectors.toUnmodifiableSet()));
  }

  private static boolean lost(DataFile file) {
    return IntStream.of(file.getFields()).anyMatch(field -> field == GONE);
  }

  List<Integer> uncovered() {
    Set<Integer> covered = new HashSet<>();
    segments.forEach(segment -> covered.addAll(fragments(segment)));
    return live.stream().filter(fragment -> !covered.contains(fragment)).toList();
  }

  /**
   * Whether a segment may still hold what an uncovered fragment held before its column was
   * rewritten in place. Lance leaves that out only as long as no segment covers the fragment: once
   * another does, rows are found by values they had.
   */
  boolean mayHoldOutdated() {
    int newest =
        segments.stream()
            .flatMap(segment -> fragments(segment).stream())
            .mapToInt(Integer::intValue)
            .max()
            .orElse(-1);
    return uncovered().stream()
        .anyMatch(fragment -> fragment < newest || rewritten.contains(fragment));
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
