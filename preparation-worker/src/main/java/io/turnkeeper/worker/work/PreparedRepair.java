package io.turnkeeper.worker.work;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.turnkeeper.authority.Head;
import io.turnkeeper.core.ShardId;
import io.turnkeeper.core.table.Artifact;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.lance.Dataset;
import org.lance.FragmentMetadata;
import org.lance.operation.Delete;
import org.lance.operation.Operation;

/**
 * Fragments to drop because files of theirs are gone. It wrote nothing; the rows and files that it
 * tells of are those that are lost.
 *
 * @param lost the files, which the table's own history names from then on
 */
record PreparedRepair(List<String> lost, PreparedFiles files, Artifact artifact)
    implements Prepared {
  static final String WORK = "repair";

  static PreparedRepair of(
      long readVersion, List<FragmentMetadata> fragments, List<String> lost, PreparedFiles files) {
    List<Long> ids = fragments.stream().map(fragment -> (long) fragment.getId()).toList();
    long rows = fragments.stream().mapToLong(FragmentMetadata::getNumRows).sum();
    return new PreparedRepair(
        List.copyOf(lost), files, Descriptor.artifact(readVersion, ids, files, rows));
  }

  @Override
  public @Nullable String staleness(Dataset fresh, Head head) {
    return fresh.version() == artifact.readVersion()
        ? null
        : "expected the table at version "
            + artifact.readVersion()
            + ", but it is at "
            + fresh.version();
  }

  @Override
  public Operation operation(Dataset fresh) {
    return Delete.builder()
        .deletedFragmentIds(artifact.sourceFragments())
        .updatedFragments(List.of())
        .predicate("repair: lost " + String.join(", ", lost))
        .build();
  }

  @Override
  public SortedMap<ShardId, Long> mergedThrough() {
    return new TreeMap<>();
  }

  @Override
  public String describe(ObjectNode into) {
    ArrayNode names = into.putArray("lost");
    lost.forEach(names::add);
    return WORK;
  }

  static PreparedRepair read(JsonNode node, PreparedFiles files, Artifact described) {
    List<String> lost = new ArrayList<>();
    node.required("lost").forEach(name -> lost.add(name.textValue()));
    Artifact artifact =
        new Artifact(
            described.readVersion(),
            described.sourceFragments(),
            lost.size(),
            described.bytes(),
            described.rows(),
            described.digest(),
            described.peakBytes(),
            described.descriptor());
    return new PreparedRepair(List.copyOf(lost), files, artifact);
  }
}
