package io.turnkeeper.worker.work;

import io.turnkeeper.core.FailureCode;
import io.turnkeeper.core.table.Assignment.RunUnit;
import io.turnkeeper.core.table.IndexSpec;
import io.turnkeeper.core.table.IndexType;
import io.turnkeeper.core.table.WorkSpec.BuildIndex;
import java.util.List;
import java.util.UUID;
import org.apache.arrow.memory.BufferAllocator;
import org.lance.Dataset;
import org.lance.Fragment;
import org.lance.index.Index;
import org.lance.schema.LanceField;

/** Builds an index, or extends it to fragments it does not cover, without a commit. */
public final class IndexWork implements Work {

  @Override
  public Preparation prepare(RunUnit unit, BufferAllocator allocator, Progress progress)
      throws WorkFailedException, WorkCancelledException {
    BuildIndex spec = (BuildIndex) unit.spec();
    return LanceCall.of(
        () -> {
          try (Dataset table = OpenTable.newest(unit.uri(), allocator)) {
            UnsafeTable.refuse(table);
            LanceField field = field(table, spec.index());
            boolean damaged = !IndexCheck.agrees(table, spec.index());
            IndexPlan plan = IndexPlan.of(table, spec, field.getId(), damaged);
            if (plan.fragments().isEmpty()) {
              return new Preparation.Nothing(table.version(), "no fragment lacks the index");
            }
            progress.planned(table.version(), plan.sourceFragments());
            return new Preparation.Ready(build(unit, spec.index(), table, field, plan, progress));
          }
        });
  }

  private static LanceField field(Dataset table, IndexSpec index) throws WorkFailedException {
    LanceField field = ColumnIds.named(table, index.column());
    if (field == null) {
      throw new WorkFailedException(
          FailureCode.BAD_POLICY,
          "expected a column '"
              + index.column()
              + "' for index '"
              + index.name()
              + "', but the table has none of that name");
    }
    return field;
  }

  private static PreparedIndex build(
      RunUnit unit,
      IndexSpec index,
      Dataset table,
      LanceField field,
      IndexPlan plan,
      Progress progress)
      throws Exception {
    UUID uuid = UUID.randomUUID();
    TableFiles files = TableFiles.at(unit.uri());
    try {
      Index built =
          build(
              new IndexBuild(table, index, uuid),
              index.type(),
              plan,
              progress,
              new IndexProgress(table, files.index(uuid), progress));
      progress.requireLive();
      return PreparedIndex.of(
          index,
          field,
          built,
          plan,
          ColumnFiles.of(table, field.getId()),
          table.version(),
          PreparedFiles.ofIndex(files, uuid),
          rows(table, plan.fragments()));
    } catch (Exception e) {
      PreparedFiles.ofIndex(files, uuid).delete();
      throw e;
    }
  }

  private static Index build(
      IndexBuild build, IndexType type, IndexPlan plan, Progress progress, IndexProgress told)
      throws WorkFailedException, WorkCancelledException {
    if (type == IndexType.ZONEMAP) {
      // Parts of a zone map cannot be joined.
      Index built = build.read(plan.fragments());
      told.read(plan.fragments(), "read all fragments");
      return built;
    }
    Index built = null;
    int done = 0;
    for (Integer fragment : plan.fragments()) {
      progress.requireLive();
      built = build.read(List.of(fragment));
      done++;
      told.read(
          List.of(fragment), "read " + done + " of " + plan.fragments().size() + " fragments");
    }
    progress.requireLive();
    build.join();
    told.read(List.of(), "joined the parts");
    if (built == null) {
      throw new IllegalStateException("expected fragments to index, but there are none");
    }
    return built;
  }

  private static long rows(Dataset table, List<Integer> fragments) {
    return table.getFragments().stream()
        .filter(fragment -> fragments.contains(fragment.getId()))
        .map(Fragment::metadata)
        .mapToLong(fragment -> fragment.getNumRows())
        .sum();
  }
}
