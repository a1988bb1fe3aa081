package io.turnkeeper.worker.work;

import io.turnkeeper.core.table.Assignment.RunUnit;
import io.turnkeeper.core.table.WorkSpec.Compact;
import io.turnkeeper.worker.fence.OpenTable;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.lance.Dataset;
import org.lance.FragmentMetadata;
import org.lance.compaction.CompactionTask;
import org.lance.compaction.RewriteResult;
import org.lance.operation.RewriteGroup;

/** Rewrites runs of small fragments into larger ones, without a commit. */
public final class CompactWork implements Work {

  @Override
  public Preparation prepare(
      RunUnit unit, Staging staging, BufferAllocator allocator, Progress progress)
      throws WorkFailedException, WorkCancelledException {
    return LanceCall.of(
        () -> {
          try (Dataset pinned = OpenTable.newest(unit.uri(), allocator)) {
            SafeTable.require(pinned);
            CompactionTasks tasks = CompactionTasks.of(pinned, (Compact) unit.spec());
            if (tasks.isEmpty()) {
              return new Preparation.Nothing(
                  pinned.version(), "no two neighbouring fragments are below the targets");
            }
            progress.planned(pinned.version(), tasks.sourceFragments());
            try (Dataset table = staging.open(pinned, tasks.sources(), allocator)) {
              List<RewriteGroup> groups = run(table, tasks, progress);
              return new Preparation.Ready(
                  PreparedCompaction.of(pinned.version(), groups, staging.files()));
            }
          }
        });
  }

  private static List<RewriteGroup> run(Dataset table, CompactionTasks tasks, Progress progress)
      throws Exception {
    List<RewriteGroup> groups = new ArrayList<>();
    for (CompactionTask task : tasks.tasks()) {
      progress.requireLive();
      RewriteResult result = CompactionTasks.in(table, task).execute(table);
      groups.add(
          RewriteGroup.builder()
              .oldFragments(task.getTaskData().getFragments())
              .newFragments(result.getNewFragments())
              .build());
      progress.completed(
          bytes(task.getTaskData().getFragments()),
          bytes(result.getNewFragments()),
          rows(result.getNewFragments()),
          "rewrote " + groups.size() + " of " + tasks.tasks().size() + " groups");
    }
    return groups;
  }

  private static long rows(List<FragmentMetadata> fragments) {
    return fragments.stream().mapToLong(FragmentMetadata::getNumRows).sum();
  }

  private static long bytes(List<FragmentMetadata> fragments) {
    return fragments.stream().mapToLong(FragmentBytes::of).sum();
  }
}
