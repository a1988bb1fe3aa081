package io.turnkeeper.worker.work;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.turnkeeper.authority.Head;
import io.turnkeeper.core.ShardId;
import io.turnkeeper.core.table.Artifact;
import java.util.ArrayList;
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
import org.lance.operation.Operation;
import org.lance.operation.Rewrite;
import org.lance.operation.RewriteGroup;

/**
 * Larger fragments in place of smaller ones, which must all be as they were read. The new ones
 * carry the id 0, for which Lance gives the next free ids at the commit. No index is remapped:
 * answers stay right, and what lost its coverage becomes demand for the index.
 */
record PreparedCompaction(List<RewriteGroup> groups, PreparedFiles files, Artifact artifact)
    implements Prepared {
  static final String WORK = "compaction";

  static PreparedCompaction of(long readVersion, List<RewriteGroup> groups, PreparedFiles files) {
    List<Long> sources =
        groups.stream()
            .flatMap(group -> group.oldFragments().stream())
            .map(fragment -> (long) fragment.getId())
            .toList();
    long rows =
        groups.stream()
            .flatMap(group -> group.newFragments().stream())
            .mapToLong(FragmentMetadata::getNumRows)
            .sum();
    return new PreparedCompaction(
        groups, files, Descriptor.artifact(readVersion, sources, files, rows));
  }

  @Override
  public @Nullable String staleness(Dataset fresh, Head head) {
    Map<Integer, FragmentMetadata> now = new HashMap<>();
    for (Fragment fragment : fresh.getFragments()) {
      now.put(fragment.getId(), fragment.metadata());
    }
    for (RewriteGroup group : groups) {
      for (FragmentMetadata source : group.oldFragments()) {
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
    return Rewrite.builder().groups(groups).rewrittenIndices(List.of()).build();
  }

  @Override
  public SortedMap<ShardId, Long> mergedThrough() {
    return Collections.unmodifiableSortedMap(new TreeMap<>());
  }

  @Override
  public String describe(ObjectNode into) {
    ArrayNode array = into.putArray("groups");
    for (RewriteGroup group : groups) {
      ObjectNode node = array.addObject();
      FragmentJson.write(node.putArray("old"), group.oldFragments());
      FragmentJson.write(node.putArray("new"), group.newFragments());
    }
    return WORK;
  }

  static PreparedCompaction read(JsonNode node, PreparedFiles files, Artifact artifact) {
    List<RewriteGroup> groups = new ArrayList<>();
    for (JsonNode group : node.required("groups")) {
      groups.add(
          RewriteGroup.builder()
              .oldFragments(FragmentJson.read(group.required("old")))
              .newFragments(FragmentJson.read(group.required("new")))
              .build());
    }
    return new PreparedCompaction(List.copyOf(groups), files, artifact);
  }
}
