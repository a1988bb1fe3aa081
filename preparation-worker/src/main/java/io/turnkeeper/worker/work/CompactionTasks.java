package io.turnkeeper.worker.work;

import io.turnkeeper.core.table.WorkSpec.Compact;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.lance.Dataset;
import org.lance.FragmentMetadata;
import org.lance.compaction.Compaction;
import org.lance.compaction.CompactionOptions;
import org.lance.compaction.CompactionPlan;
import org.lance.compaction.CompactionTask;
import org.lance.compaction.TaskData;

/**
 * What one compaction rewrites: Lance's own plan, which never joins fragments that different index
 * segments cover, without the fragments that somebody else is reading for an index.
 */
record CompactionTasks(List<CompactionTask> tasks) {

  static CompactionTasks of(Dataset table, Compact spec) {
    CompactionOptions options =
        CompactionOptions.builder()
            .withTargetRowsPerFragment(spec.targetRows())
            .withMaxBytesPerFile(spec.targetBytes())
            .withNumThreads(1)
            .build();
    CompactionPlan plan = Compaction.planCompaction(table, options);
    Set<Long> excluded = new HashSet<>(spec.excludedFragments());
    List<CompactionTask> tasks = new ArrayList<>();
    long sources = 0;
    for (CompactionTask task : plan.getCompactionTasks()) {
      for (List<FragmentMetadata> run :
          runs(task.getTaskData().getFragments(), excluded, spec.targetBytes())) {
        if (tasks.isEmpty() || sources + run.size() <= spec.maxSourceFragments()) {
          List<FragmentMetadata> taken = capped(run, spec.maxSourceFragments());
          tasks.add(new CompactionTask(new TaskData(taken), plan.getReadVersion(), options));
          sources += taken.size();
        }
      }
    }
    return new CompactionTasks(List.copyOf(tasks));
  }

  /**
   * The stretches that are worth a rewrite, between fragments that are excluded or so large that
   * rewriting them would make nothing smaller in number. Lance itself looks at rows only.
   */
  private static List<List<FragmentMetadata>> runs(
      List<FragmentMetadata> fragments, Set<Long> excluded, long targetBytes) {
    List<List<FragmentMetadata>> runs = new ArrayList<>();
    List<FragmentMetadata> run = new ArrayList<>();
    for (FragmentMetadata fragment : fragments) {
      if (excluded.contains((long) fragment.getId()) || FragmentBytes.of(fragment) >= targetBytes) {
        addIfWorthIt(runs, run, fragments);
        run = new ArrayList<>();
      } else {
        run.add(fragment);
      }
    }
    addIfWorthIt(runs, run, fragments);
    return runs;
  }

  private static void addIfWorthIt(
      List<List<FragmentMetadata>> runs, List<FragmentMetadata> run, List<FragmentMetadata> all) {
    // Lance plans a single fragment only to get rid of its deleted rows.
    if (run.size() > 1 || (run.size() == 1 && all.size() == 1)) {
      runs.add(run);
    }
  }

  private static List<FragmentMetadata> capped(List<FragmentMetadata> run, long max) {
    return run.size() <= max ? run : run.subList(0, (int) Math.max(2, max));
  }

  /**
   * The same task for {@code table}, which has the same fragments but may say of their files that
   * they lie elsewhere.
   */
  static CompactionTask in(Dataset table, CompactionTask task) {
    Map<Integer, FragmentMetadata> there = new HashMap<>();
    table.getFragments().forEach(f -> there.put(f.getId(), f.metadata()));
    return new CompactionTask(
        new TaskData(
            task.getTaskData().getFragments().stream()
                .map(fragment -> there.get(fragment.getId()))
                .toList()),
        task.getReadVersion(),
        task.getCompactionOptions());
  }

  boolean isEmpty() {
    return tasks.isEmpty();
  }

  List<FragmentMetadata> sources() {
    return tasks.stream().flatMap(task -> task.getTaskData().getFragments().stream()).toList();
  }

  List<Long> sourceFragments() {
    return sources().stream().map(fragment -> (long) fragment.getId()).toList();
  }
}
