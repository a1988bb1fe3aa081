package io.turnkeeper.bench;

import io.turnkeeper.core.Attempt;
import io.turnkeeper.core.ShardId;
import io.turnkeeper.core.TableId;
import io.turnkeeper.core.table.Artifact;
import io.turnkeeper.core.table.Assignment.GrantTurn;
import io.turnkeeper.core.table.Assignment.RunUnit;
import io.turnkeeper.core.table.CheckpointEvent.PreparationReady;
import io.turnkeeper.core.table.ClaimEvent.UnitClaimed;
import io.turnkeeper.core.table.ClaimEvent.UnitReleased;
import io.turnkeeper.core.table.PublishEvent.TurnTaken;
import io.turnkeeper.core.table.PublishEvent.UnitPublished;
import io.turnkeeper.core.table.TableEvent;
import io.turnkeeper.core.table.WorkSpec.MergeWal;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** A worker that merges without a table: what it reports, in its order. */
final class MergeWorker {
  private final Map<Attempt, RunUnit> running = new HashMap<>();
  private final Map<TableId, Long> versions = new HashMap<>();

  TableEvent claim(RunUnit order) {
    running.put(order.attempt(), order);
    return new UnitClaimed(order.attempt());
  }

  static TableEvent ready(Attempt attempt) {
    return new PreparationReady(attempt, new Artifact(1, List.of(), 1, 1, 1, "none", 0, "nowhere"));
  }

  List<TableEvent> publish(GrantTurn grant) {
    RunUnit order = running.remove(grant.attempt());
    if (order == null) {
      throw new IllegalStateException("expected a turn for a claimed unit, but it is " + grant);
    }
    SortedMap<ShardId, Long> through = new TreeMap<>();
    ((MergeWal) order.spec()).ranges().forEach((shard, range) -> through.put(shard, range.last()));
    Attempt attempt = grant.attempt();
    long version = versions.merge(attempt.table(), 2L, (old, two) -> old + 1);
    return List.of(
        new TurnTaken(attempt, grant.turn()),
        new UnitPublished(attempt, grant.turn(), List.of(version), through, 1, 1, 0),
        new UnitReleased(attempt, 0));
  }
}
