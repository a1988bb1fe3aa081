package io.turnkeeper.worker.work;

import io.turnkeeper.core.FailureCode;
import io.turnkeeper.core.table.Assignment.RunUnit;
import io.turnkeeper.events.storage.Storage;
import io.turnkeeper.worker.fence.OpenTable;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.lance.Dataset;
import org.lance.Fragment;
import org.lance.FragmentMetadata;

/** Finds the fragments that cannot be read any more because files of theirs are gone. */
public final class RepairWork implements Work {

  @Override
  public Preparation prepare(
      RunUnit unit, Staging staging, BufferAllocator allocator, Progress progress)
      throws WorkFailedException, WorkCancelledException {
    return LanceCall.of(
        () -> {
          try (Dataset pinned = OpenTable.newest(unit.uri(), allocator)) {
            return lost(pinned, Place.of("table", unit.uri()), staging, progress);
          }
        });
  }

  private static Preparation lost(Dataset pinned, Storage table, Staging staging, Progress progress)
      throws Exception {
    LostFiles lostFiles = LostFiles.in(table);
    requireStorage(lostFiles, pinned);
    List<FragmentMetadata> fragments = new ArrayList<>();
    List<String> files = new ArrayList<>();
    for (Fragment fragment : pinned.getFragments()) {
      List<String> lost = lostFiles.of(fragment.metadata());
      files.addAll(lost);
      if (!lost.isEmpty()) {
        fragments.add(fragment.metadata());
      }
      progress.requireLive();
    }
    if (fragments.isEmpty()) {
      return new Preparation.Nothing(pinned.version(), "all files of the table are there");
    }
    PreparedRepair repair = PreparedRepair.of(pinned.version(), fragments, files, staging.files());
    progress.planned(pinned.version(), repair.artifact().sourceFragments());
    return new Preparation.Ready(repair);
  }

  /** Storage that is not there, such as a disk that is not mounted, has lost nothing. */
  private static void requireStorage(LostFiles lostFiles, Dataset pinned)
      throws WorkFailedException {
    if (!pinned.getFragments().isEmpty() && lostFiles.isEverything()) {
      throw new WorkFailedException(
          FailureCode.MISSING_FILE,
          "expected a file in "
              + TableFiles.DATA
              + ", but there is none; nothing is dropped for that");
    }
  }
}
