package io.turnkeeper.simulation.worker;

import io.turnkeeper.core.ShardId;
import io.turnkeeper.core.table.MergeMode;
import io.turnkeeper.core.table.WorkSpec;
import io.turnkeeper.simulation.table.Fragment;
import io.turnkeeper.simulation.table.Piece;
import io.turnkeeper.simulation.table.SimTable;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** What the kinds of work do to a table, without doing it. */
final class Work {
  private Work() {}

  /** What is prepared for {@code spec} on the table as it is; null if there is nothing to do. */
  static @Nullable Prepared prepare(WorkSpec spec, SimTable table) {
    if (spec instanceof WorkSpec.MergeWal merge) {
      return merge(merge, table);
    }
    if (spec instanceof WorkSpec.Compact compact) {
      return compact(compact, table);
    }
    if (spec instanceof WorkSpec.BuildIndex build) {
      return index(build, table);
    }
    if (spec instanceof WorkSpec.Repair) {
      return repair(table);
    }
    return null;
  }

  private static Prepared merge(WorkSpec.MergeWal spec, SimTable table) {
    List<Piece> pieces = new ArrayList<>();
    SortedMap<ShardId, Long> merged = new TreeMap<>();
    spec.ranges()
        .forEach(
            (shard, range) -> {
              List<Long> skipped = spec.skipped().getOrDefault(shard, List.of());
              for (long one = range.first(); one <= range.last(); one++) {
                if (!skipped.contains(one)) {
                  pieces.add(new Piece(shard, one));
                }
              }
              merged.put(shard, range.last());
            });
    // The range's begin is compared with the head's marks by whoever publishes.
    return new Prepared(
        table.version(),
        List.of(),
        merged,
        now -> false,
        now -> {
          if (now.mode() == MergeMode.UPSERT && !now.fragments().isEmpty()) {
            now.edit(now.fragments().firstKey());
          }
          now.add(pieces);
        });
  }

  private static @Nullable Prepared compact(WorkSpec.Compact spec, SimTable table) {
    Map<Long, Integer> editsBySource = new TreeMap<>();
    for (Fragment fragment : table.fragments().values()) {
      if (fragment.pieces().size() < 64
          && !fragment.lost()
          && editsBySource.size() < spec.maxSourceFragments()
          && !spec.excludedFragments().contains(fragment.id())) {
        editsBySource.put(fragment.id(), fragment.edits());
      }
    }
    if (editsBySource.size() < 2) {
      return null;
    }
    List<Long> sources = List.copyOf(editsBySource.keySet());
    return new Prepared(
        table.version(),
        sources,
        new TreeMap<>(),
        now ->
            sources.stream()
                .map(source -> now.fragments().get(source))
                .anyMatch(
                    found ->
                        found == null
                            || found.lost()
                            || !Integer.valueOf(found.edits())
                                .equals(editsBySource.get(found.id()))),
        now -> now.rewrite(sources));
  }

  private static @Nullable Prepared index(WorkSpec.BuildIndex spec, SimTable table) {
    TreeSet<Long> covered = new TreeSet<>(table.fragments().keySet());
    covered.removeAll(spec.excludedFragments());
    if (covered.isEmpty()) {
      return null;
    }
    return new Prepared(
        table.version(),
        List.copyOf(covered),
        new TreeMap<>(),
        now -> false,
        now -> now.index(covered));
  }

  private static @Nullable Prepared repair(SimTable table) {
    return table.fragments().values().stream().noneMatch(Fragment::lost)
        ? null
        : new Prepared(
            table.version(), List.of(), new TreeMap<>(), now -> false, SimTable::dropLost);
  }
}
