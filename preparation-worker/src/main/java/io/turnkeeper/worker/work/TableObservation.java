package io.turnkeeper.worker.work;

import io.turnkeeper.core.TableId;
import io.turnkeeper.core.table.DemandEvent.IndexObserved;
import io.turnkeeper.core.table.DemandEvent.TableObserved;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.lance.Dataset;
import org.lance.Fragment;
import org.lance.FragmentMetadata;
import org.lance.compaction.Compaction;
import org.lance.compaction.CompactionOptions;
import org.lance.fragment.DataFile;
import org.lance.fragment.DeletionFile;
import org.lance.index.Index;
import org.lance.schema.LanceField;

/** Reads from the manifest of an open table what the table needs. */
public final class TableObservation {
  private final long targetRows;

  /**
   * Sets what compaction aims at.
   *
   * @param targetRows how many rows a compacted fragment has
   */
  public TableObservation(long targetRows) {
    this.targetRows = targetRows;
  }

  /**
   * Reads the version that {@code table} is open at.
   *
   * @param uri where the table's files lie
   * @param damaged segments whose answers were found to be wrong
   */
  public TableObserved of(
      Dataset table, TableId id, long incarnation, String uri, Set<UUID> damaged)
      throws WorkFailedException, WorkCancelledException {
    return LanceCall.of(() -> read(table, id, incarnation, TableFiles.at(uri), damaged));
  }

  private TableObserved read(
      Dataset table, TableId id, long incarnation, TableFiles files, Set<UUID> damaged) {
    List<FragmentMetadata> small = compactable(table);
    long rows = 0;
    long bytes = 0;
    long deleted = 0;
    long missing = 0;
    List<Fragment> fragments = table.getFragments();
    for (Fragment fragment : fragments) {
      FragmentMetadata metadata = fragment.metadata();
      long size = FragmentBytes.of(metadata);
      rows += metadata.getNumRows();
      bytes += size;
      deleted += metadata.getNumDeletions();
      missing += missing(files, metadata);
    }
    return new TableObserved(
        id,
        incarnation,
        table.version(),
        fragments.size(),
        small.size(),
        small.stream().mapToLong(FragmentBytes::of).sum(),
        rows,
        bytes,
        deleted,
        indexes(table, damaged),
        missing,
        0,
        table.getVersion().getDataTime().toInstant().toEpochMilli());
  }

  /**
   * What a compaction would rewrite now. A small fragment without a neighbour, or between two that
   * other index segments cover, is no demand: nothing could be done about it.
   */
  private List<FragmentMetadata> compactable(Dataset table) {
    CompactionOptions options =
        CompactionOptions.builder().withTargetRowsPerFragment(targetRows).build();
    return Compaction.planCompaction(table, options).getCompactionTasks().stream()
        .flatMap(task -> task.getTaskData().getFragments().stream())
        .toList();
  }

  private static long missing(TableFiles files, FragmentMetadata fragment) {
    long missing = 0;
    for (DataFile file : fragment.getFiles()) {
      Path path = files.data(file);
      Long size = file.getFileSizeBytes();
      missing += isThere(path, size == null ? -1 : size) ? 0 : 1;
    }
    DeletionFile deletions = fragment.getDeletionFile();
    if (deletions != null && !isThere(files.deletions(fragment.getId(), deletions), -1)) {
      missing++;
    }
    return missing;
  }

  private static boolean isThere(Path file, long size) {
    return Files.exists(file) && (size < 0 || file.toFile().length() == size);
  }

  private static List<IndexObserved> indexes(Dataset table, Set<UUID> damaged) {
    Set<String> names = new LinkedHashSet<>();
    table.getIndexes().forEach(index -> names.add(index.name()));
    List<IndexObserved> observed = new ArrayList<>();
    for (String name : names) {
      IndexSegments segments = IndexSegments.of(table, name);
      Index first = segments.segments().get(0);
      IndexTypes.of(first.indexType())
          .ifPresent(
              type ->
                  observed.add(
                      new IndexObserved(
                          name,
                          column(table, first),
                          type,
                          segments.uncovered().size(),
                          segments.segments().size(),
                          segments.uuids().stream().anyMatch(damaged::contains))));
    }
    return observed;
  }

  private static String column(Dataset table, Index index) {
    LanceField field =
        index.fields().isEmpty() ? null : ColumnIds.withId(table, index.fields().get(0));
    return field == null ? "" : field.getName();
  }
}
