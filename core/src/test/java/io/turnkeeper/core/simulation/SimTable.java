package io.turnkeeper.core.simulation;

import io.turnkeeper.core.ShardId;
import io.turnkeeper.core.TableId;
import io.turnkeeper.core.table.DemandEvent.IndexObserved;
import io.turnkeeper.core.table.DemandEvent.TableObserved;
import io.turnkeeper.core.table.IndexSpec;
import io.turnkeeper.core.table.IndexType;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/** One simulated table: its head, its fragments, and what its writers sealed. */
final class SimTable {
  static final IndexSpec BY_ID = new IndexSpec("by_id", "id", IndexType.BTREE);

  private final TableId id;
  private final SimAuthority authority = new SimAuthority();
  private final SortedMap<ShardId, Long> sealed = new TreeMap<>();
  private long smallFragments;
  private long uncovered;
  private boolean indexed;

  SimTable(TableId id) {
    this.id = id;
  }

  TableId id() {
    return id;
  }

  SimAuthority authority() {
    return authority;
  }

  long seal(ShardId shard) {
    return sealed.merge(shard, 1L, Long::sum);
  }

  SortedMap<ShardId, Long> sealed() {
    return sealed;
  }

  void merged() {
    smallFragments++;
    uncovered++;
  }

  void compacted() {
    smallFragments = 0;
    uncovered++;
  }

  void indexed() {
    uncovered = 0;
    indexed = true;
  }

  boolean isIndexed() {
    return indexed;
  }

  TableObserved observation(long nowMillis) {
    List<IndexObserved> indexes =
        indexed
            ? List.of(new IndexObserved("by_id", "id", IndexType.BTREE, uncovered, 1, false))
            : List.of();
    return new TableObserved(
        id,
        1,
        authority.version(),
        smallFragments + 1,
        smallFragments,
        smallFragments * 1_000,
        authority.versions().size(),
        smallFragments * 1_000,
        0,
        indexes,
        0,
        0,
        nowMillis);
  }
}
