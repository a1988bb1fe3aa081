package io.turnkeeper.worker.work;

import io.turnkeeper.core.TableId;
import io.turnkeeper.core.table.DemandEvent.IndexObserved;
import io.turnkeeper.core.table.DemandEvent.TableObserved;
import io.turnkeeper.core.table.IndexType;
import io.turnkeeper.core.table.WorkSpec.Compact;
import io.turnkeeper.events.storage.Storage;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.lance.Dataset;
import org.lance.Fragment;
import org.lance.FragmentMetadata;
import org.lance.index.Index;
import org.lance.schema.LanceField;

/** Reads from the manifest of an open table what the table needs. */
public final class TableObservation {
  private final Compact targets;

  /**
   * Sets what compaction aims at.
   *
   * @param targetRows how many rows a compacted fragment has
   * @param targetBytes how many bytes it has
   */
  public TableObservation(long targetRows, long targetBytes) {
    this.targets = new Compact(targetRows, targetBytes, Integer.MAX_VALUE, List.of());
  }

  /**
   * Reads the version that {@code table} is open at.
   *
   * @param uri where the table's files lie
   * @param damaged segments whose answers were found to be wrong
   * @param garbageBytes what a retirement would remove
   */
  public TableObserved of(
      Dataset table, TableId id, long incarnation, String uri, Set<UUID> damaged, long garbageBytes)
      throws WorkFailedException, WorkCancelledException {
    return LanceCall.of(
        () -> read(table, id, incarnation, Place.of("table", uri), damaged, garbageBytes));
  }

  private TableObserved read(
      Dataset table,
      TableId id,
      long incarnation,
      Storage files,
      Set<UUID> damaged,
      long garbageBytes)
      throws IOException {
    // A small fragment without a neighbour, or between two that other index segments cover, is no
    // demand: nothing could be done about it.
    List<FragmentMetadata> small = CompactionTasks.of(table, targets).sources();
    long rows = 0;
    long bytes = 0;
    long deleted = 0;
    long missing = 0;
    LostFiles lost = LostFiles.in(files);
    List<Fragment> fragments = table.getFragments();
    for (Fragment fragment : fragments) {
      FragmentMetadata metadata = fragment.metadata();
      long size = FragmentBytes.of(metadata);
      rows += metadata.getNumRows();
      bytes += size;
      deleted += metadata.getNumDeletions();
      missing += lost.of(metadata).size();
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
        indexes(table, files, damaged),
        missing,
        garbageBytes,
        table.getVersion().getDataTime().toInstant().toEpochMilli());
  }

  private static List<IndexObserved> indexes(Dataset table, Storage files, Set<UUID> damaged)
      throws IOException {
    Set<String> names = new LinkedHashSet<>();
    table.getIndexes().forEach(index -> names.add(index.name()));
    List<IndexObserved> observed = new ArrayList<>();
    for (String name : names) {
      IndexSegments segments = IndexSegments.of(table, name);
      Index first = segments.segments().get(0);
      Optional<IndexType> type = IndexTypes.of(first.indexType());
      if (type.isPresent()) {
        observed.add(
            new IndexObserved(
                name,
                column(table, first),
                type.get(),
                segments.uncovered().size(),
                segments.segments().size(),
                isDamaged(segments.uuids(), files, damaged)));
      }
    }
    return observed;
  }

  private static boolean isDamaged(Collection<UUID> segments, Storage files, Set<UUID> damaged)
      throws IOException {
    for (UUID segment : segments) {
      if (damaged.contains(segment) || files.list(TableFiles.index(segment)).files().isEmpty()) {
        return true;
      }
    }
    return false;
  }

  private static String column(Dataset table, Index index) {
    LanceField field =
        index.fields().isEmpty() ? null : ColumnIds.withId(table, index.fields().get(0));
    return field == null ? "" : field.getName();
  }
}
