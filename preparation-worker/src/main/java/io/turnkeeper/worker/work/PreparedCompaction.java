package io.turnkeeper.worker.work;

import io.turnkeeper.authority.Head;
import io.turnkeeper.core.ShardId;
import io.turnkeeper.core.table.Artifact;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.lance.Dataset;
import org.lance.Fragment;
import org.lance.FragmentMetadata;
import org.lance.compaction.RewriteResult;
import org.lance.operation.Operation;
import org.lance.operation.Rewrite;
import org.lance.operation.RewriteGroup;

/**
 * Larger fragments in place of smaller ones, which must all be as they were read. The new ones
 * carry the id 0, for which Lance gives the next free ids at the commit. No index is remapped:
 * answers stay right, and what lost its coverage becomes demand for the index.
 */
record PreparedCompaction(List<RewriteResult> results, PreparedFiles files, Artifact artifact)
    implements Prepared {

  static PreparedCompaction of(long readVersion, List<RewriteResult> results, PreparedFiles files) {
    List<Long> sources =
        results.stream()
            .flatMap(result -> result.getOriginalFragments().stream())
            .map(fragment -> (long) fragment.getId())
            .toList();
    long rows =
        results.stream()
            .flatMap(result -> result.getNewFragments().stream())
            .mapToLong(FragmentMetadata::getNumRows)
            .sum();
    return new PreparedCompaction(
        results,
        files,
        new Artifact(readVersion, sources, files.count(), files.bytes(), rows, "", 0, ""));
  }

  @Override
  public @Nullable String staleness(Dataset fresh, Head head) {
    Map<Integer, FragmentMetadata> now = new HashMap<>();
    for (Fragment fragment : fresh.getFragments()) {
      now.put(fragment.getId(), fragment.metadata());
    }
    for (RewriteResult result : results) {
      for (FragmentMetadata source : result.getOriginalFragments()) {
        if (!isSame(source, now.get(source.getId()))) {
          return "expected fragment "
              + source.getId()
              + " as it was at version "
              + artifact.readVersion()
              + ", but it was changed or is gone at version "
              + fresh.version();
        }
      }
    }
    return null;
  }

  private static boolean isSame(FragmentMetadata before, @Nullable FragmentMetadata now) {
    return now != null
        && before.getFiles().equals(now.getFiles())
        && Objects.equals(before.getDeletionFile(), now.getDeletionFile())
        && before.getPhysicalRows() == now.getPhysicalRows();
  }

  @Override
  public Operation operation(Dataset fresh) {
    List<RewriteGroup> groups =
        results.stream()
            .map(
                result ->
                    RewriteGroup.builder()
                        .oldFragments(result.getOriginalFragments())
                        .newFragments(result.getNewFragments())
                        .build())
            .toList();
    return Rewrite.builder().groups(groups).rewrittenIndices(List.of()).build();
  }

  @Override
  public SortedMap<ShardId, Long> mergedThrough() {
    return Collections.unmodifiableSortedMap(new TreeMap<>());
  }
}
