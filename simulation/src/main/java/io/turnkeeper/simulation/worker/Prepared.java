package io.turnkeeper.simulation.worker;

import io.turnkeeper.core.ShardId;
import io.turnkeeper.simulation.table.SimTable;
import java.util.List;
import java.util.SortedMap;
import java.util.function.Predicate;

/**
 * What a preparation left.
 *
 * @param sources the fragments it read
 * @param merged the marks its commit moves on
 * @param stale whether it can no longer be published on the table as it is
 */
record Prepared(
    long readVersion,
    List<Long> sources,
    SortedMap<ShardId, Long> merged,
    Predicate<SimTable> stale,
    SimTable.Change change) {
  Prepared {
    sources = List.copyOf(sources);
  }
}
