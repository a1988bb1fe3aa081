package io.turnkeeper.worker.work;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.turnkeeper.authority.Head;
import io.turnkeeper.core.ShardId;
import io.turnkeeper.core.table.Artifact;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.lance.Dataset;
import org.lance.Fragment;
import org.lance.operation.Operation;
import org.lance.operation.Update;

/**
 * Rows that replace those with the same keys, and new ones. Whether a key is new was decided at the
 * read version; Lance does not look again, so it must have stayed true.
 *
 * @param newestFragment the highest fragment id at the read version, -1 if there was none
 */
record PreparedUpsert(
    MergeRanges ranges,
    ColumnIds columns,
    int newestFragment,
    Update update,
    PreparedFiles files,
    Artifact artifact)
    implements Prepared {
  static final String WORK = "upsert";

  static int newestFragment(Dataset table) {
    return table.getFragments().stream().mapToInt(Fragment::getId).max().orElse(-1);
  }

  @Override
  public @Nullable String staleness(Dataset fresh, Head head) {
    String stale = ranges.staleness(head);
    stale = stale == null ? columns.staleness(fresh) : stale;
    if (stale != null) {
      return stale;
    }
    int newest = newestFragment(fresh);
    return newest <= newestFragment
        ? null
        : "expected no rows to be written since version "
            + artifact.readVersion()
            + ", where fragment "
            + newestFragment
            + " was the newest, but now it is "
            + newest;
  }

  @Override
  public Operation operation(Dataset fresh) {
    return update;
  }

  @Override
  public SortedMap<ShardId, Long> mergedThrough() {
    return ranges.mergedThrough();
  }

  @Override
  public String describe(ObjectNode into) {
    ranges.describe(into.putObject("shards"));
    columns.describe(into.putArray("columns"));
    into.put("newestFragment", newestFragment);
    update.removedFragmentIds().forEach(into.putArray("removed")::add);
    FragmentJson.write(into.putArray("updated"), update.updatedFragments());
    FragmentJson.write(into.putArray("new"), update.newFragments());
    LongStream.of(update.fieldsModified()).forEach(into.putArray("fieldsModified")::add);
    LongStream.of(update.fieldsForPreservingFragBitmap())
        .forEach(into.putArray("fieldsPreserving")::add);
    update.updateMode().ifPresent(mode -> into.put("mode", mode.name()));
    return WORK;
  }

  static PreparedUpsert read(JsonNode node, PreparedFiles files, Artifact artifact) {
    Update update =
        Update.builder()
            .removedFragmentIds(List.copyOf(Numbers.longs(node.required("removed"))))
            .updatedFragments(FragmentJson.read(node.required("updated")))
            .newFragments(FragmentJson.read(node.required("new")))
            .fieldsModified(Numbers.array(node.required("fieldsModified")))
            .fieldsForPreservingFragBitmap(Numbers.array(node.required("fieldsPreserving")))
            .updateMode(
                Optional.ofNullable(node.get("mode"))
                    .map(mode -> Update.UpdateMode.valueOf(mode.textValue())))
            .build();
    return new PreparedUpsert(
        MergeRanges.read(node.required("shards")),
        ColumnIds.read(node.required("columns")),
        node.required("newestFragment").intValue(),
        update,
        files,
        artifact);
  }
}
