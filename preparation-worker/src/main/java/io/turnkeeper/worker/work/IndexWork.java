package io.turnkeeper.worker.work;

import io.turnkeeper.core.FailureCode;
import io.turnkeeper.core.table.Assignment.RunUnit;
import io.turnkeeper.core.table.IndexSpec;
import io.turnkeeper.core.table.IndexType;
import io.turnkeeper.core.table.WorkSpec.BuildIndex;
import io.turnkeeper.worker.fence.OpenTable;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.apache.arrow.memory.BufferAllocator;
import org.lance.Dataset;
import org.lance.Fragment;
import org.lance.FragmentMetadata;
import org.lance.index.Index;
import org.lance.schema.LanceField;

/** Builds an index, or extends it to fragments it does not cover, without a commit. */
public final class IndexWork implements Work {

  @Override
  public Preparation prepare(
      RunUnit unit, Staging staging, BufferAllocator allocator, Progress progress)
      throws WorkFailedException, WorkCancelledException {
    BuildIndex spec = (BuildIndex) unit.spec();
    return LanceCall.of(
        () -> {
          try (Dataset table = OpenTable.newest(unit.uri(), allocator)) {
            SafeTable.require(table);
            LanceField field = field(table, spec.index());
            boolean damaged = !IndexCheck.agrees(table, spec.index());
            IndexPlan plan = IndexPlan.of(table, spec, field.getId(), damaged);
            if (plan.fragments().isEmpty()) {
              return new Preparation.Nothing(table.version(), "no fragment lacks the index");
            }
            progress.planned(table.version(), plan.sourceFragments());
            return new Preparation.Ready(
                build(spec.index(), table, staging, field, plan, allocator, progress));
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
      IndexSpec index,
      Dataset pinned,
      Staging staging,
      LanceField field,
      IndexPlan plan,
      BufferAllocator allocator,
      Progress progress)
      throws Exception {
    UUID uuid = UUID.randomUUID();
    Set<Integer> wanted = Set.copyOf(plan.fragments());
    List<FragmentMetadata> sources =
        pinned.getFragments().stream()
            .filter(fragment -> wanted.contains(fragment.getId()))
            .map(Fragment::metadata)
            .toList();
    try (Dataset table = staging.open(pinned, sources, allocator)) {
      Index built =
          build(
              new IndexBuild(table, index, uuid),
              index.type(),
              sources,
              progress,
              new IndexProgress(staging.table(), TableFiles.index(uuid), progress));
      return PreparedIndex.of(
          index,
          field,
          built,
          plan,
          ColumnFiles.of(sources, field.getId()),
          pinned.version(),
          staging.files(),
          sources.stream().mapToLong(FragmentMetadata::getNumRows).sum());
    }
  }

  private static Index build(
      IndexBuild build,
      IndexType type,
      List<FragmentMetadata> sources,
      Progress progress,
      IndexProgress told)
      throws WorkCancelledException, IOException {
    if (type == IndexType.ZONEMAP) {
      // Parts of a zone map cannot be joined.
      Index built = build.read(ids(sources));
      told.read(sources, "read all fragments");
      return built;
    }
    Index built = null;
    int done = 0;
    for (List<FragmentMetadata> batch : FragmentBatches.of(sources)) {
      progress.requireLive();
      built = build.read(ids(batch));
      done += batch.size();
      told.read(batch, "read " + done + " of " + sources.size() + " fragments");
    }
    progress.requireLive();
    build.join();
    told.read(List.of(), "joined the parts");
    if (built == null) {
      throw new IllegalStateException("expected fragments to index, but there are none");
    }
    return built;
  }

  private static List<Integer> ids(List<FragmentMetadata> fragments) {
    return fragments.stream().map(FragmentMetadata::getId).toList();
  }
}
