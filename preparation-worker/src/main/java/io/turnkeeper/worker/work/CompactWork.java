package io.turnkeeper.worker.work;

import io.turnkeeper.core.table.Assignment.RunUnit;
import io.turnkeeper.core.table.WorkSpec.Compact;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.lance.Dataset;
import org.lance.FragmentMetadata;
import org.lance.compaction.CompactionTask;
import org.lance.compaction.RewriteResult;

/** Rewrites runs of small fragments into larger ones, without a commit. */
public final class CompactWork implements Work {

  @Override
  public Preparation prepare(RunUnit unit, BufferAllocator allocator, Progress progress)
      throws WorkFailedException, WorkCancelledException {
    return LanceCall.of(
        () -> {
          try (Dataset table = OpenTable.newest(unit.uri(), allocator)) {
            UnsafeTable.refuse(table);
            CompactionTasks tasks = CompactionTasks.of(table, (Compact) unit.spec());
            if (tasks.isEmpty()) {
              return new Preparation.Nothing(
                  table.version(), "no two neighbouring fragments are below the target");
            }
            progress.planned(table.version(), tasks.sourceFragments());
            List<RewriteResult> results = run(table, tasks, TableFiles.at(unit.uri()), progress);
            return new Preparation.Ready(
                PreparedCompaction.of(
                    table.version(), results, files(TableFiles.at(unit.uri()), results)));
          }
        });
  }

  private static List<RewriteResult> run(
      Dataset table, CompactionTasks tasks, TableFiles files, Progress progress) throws Exception {
    List<RewriteResult> results = new ArrayList<>();
    try {
      for (CompactionTask task : tasks.tasks()) {
        progress.requireLive();
        RewriteResult result = task.execute(table);
        results.add(result);
        long written = files(files, List.of(result)).bytes();
        progress.completed(
            bytes(task.getTaskData().getFragments()),
            written,
            rows(result.getNewFragments()),
            "rewrote " + results.size() + " of " + tasks.tasks().size() + " groups");
      }
      progress.requireLive();
      return results;
    } catch (Exception e) {
      files(files, results).delete();
      throw e;
    }
  }

  private static PreparedFiles files(TableFiles files, List<RewriteResult> results)
      throws WorkFailedException {
    return PreparedFiles.ofFragments(
        files, results.stream().flatMap(result -> result.getNewFragments().stream()).toList());
  }

  private static long rows(List<FragmentMetadata> fragments) {
    return fragments.stream().mapToLong(FragmentMetadata::getNumRows).sum();
  }

  private static long bytes(List<FragmentMetadata> fragments) {
    return fragments.stream().mapToLong(FragmentBytes::of).sum();
  }
}
