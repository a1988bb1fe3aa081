package io.turnkeeper.simulation;

import io.turnkeeper.authority.Deadline;
import io.turnkeeper.authority.InMemoryAuthority;
import io.turnkeeper.authority.Manifest;
import io.turnkeeper.authority.RegisterOutcome;
import io.turnkeeper.core.ShardId;
import io.turnkeeper.core.TableId;
import java.util.SortedMap;

/** An authority that lets one directory have several heads. */
final class CarelessAuthority extends InMemoryAuthority {
  @Override
  public synchronized RegisterOutcome register(
      TableId table,
      String uri,
      long version,
      Manifest manifest,
      SortedMap<ShardId, Long> mergedThrough,
      Deadline deadline) {
    RegisterOutcome outcome =
        super.register(table, uri, version, manifest, mergedThrough, deadline);
    return outcome instanceof RegisterOutcome.LocationTaken
        ? super.register(table, uri + "#" + table, version, manifest, mergedThrough, deadline)
        : outcome;
  }
}
