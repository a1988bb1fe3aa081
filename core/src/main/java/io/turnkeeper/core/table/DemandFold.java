package io.turnkeeper.core.table;

import io.turnkeeper.core.Now;
import io.turnkeeper.core.ShardId;
import io.turnkeeper.core.table.DemandEvent.TableDropped;
import io.turnkeeper.core.table.DemandEvent.TableObserved;
import io.turnkeeper.core.table.DemandEvent.TableRegistered;
import io.turnkeeper.core.table.TableState.Draft;
import java.util.SortedMap;

/** How registrations, observations and merged marks change a table. */
final class DemandFold {
  private DemandFold() {}

  static TableState registered(TableState before, TableRegistered event) {
    if (event.tableIncarnation() < before.incarnation()
        || (event.tableIncarnation() == before.incarnation() && before.registration() == null)) {
      return before; // A late word about a table that was dropped.
    }
    Registration registration =
        new Registration(
            event.uri(), event.walUri(), event.keyColumns(), event.mergeMode(), event.indexes());
    if (event.tableIncarnation() == before.incarnation()) {
      return before.edit(draft -> draft.registration = registration);
    }
    boolean first = before.incarnation() == 0;
    TableState base = first ? before : tombstone(before);
    return base.edit(
        draft -> {
          draft.incarnation = event.tableIncarnation();
          draft.registration = registration;
        });
  }

  static TableState dropped(TableState before, TableDropped event) {
    if (event.tableIncarnation() < before.incarnation()) {
      return before;
    }
    return tombstone(before)
        .edit(
            draft -> {
              draft.incarnation = event.tableIncarnation();
              draft.registration = null;
            });
  }

  /** Only what must never restart is left: numbers, and what workers are still to be told. */
  private static TableState tombstone(TableState before) {
    return TableState.unknown(before.table())
        .edit(
            draft -> {
              draft.incarnation = before.incarnation();
              draft.policy = before.policy();
              draft.turns = Turns.NONE.raisedTo(before.turns().highest());
              draft.lastUnit = before.lastUnit();
              draft.lastProbe = before.lastProbe();
              draft.released = before.released();
              draft.abandoned = before.abandoned();
              before.units().values().forEach(unit -> UnitFold.abandon(draft, unit));
            });
  }

  static TableState observed(TableState before, TableObserved event, Now now) {
    Observation known = before.observation();
    if (event.tableIncarnation() != before.incarnation()
        || (known != null && event.version() < known.version())) {
      return before;
    }
    Observation seen =
        new Observation(
            event.version(),
            event.fragments(),
            event.smallFragments(),
            event.smallFragmentBytes(),
            event.rows(),
            event.bytes(),
            event.indexes(),
            event.missingFiles(),
            now.atMillis());
    return before.edit(draft -> draft.observation = seen);
  }

  static void merged(Draft draft, SortedMap<ShardId, Long> mergedThrough) {
    mergedThrough.forEach(
        (id, generation) ->
            draft.shards.put(id, draft.shards.getOrDefault(id, Shard.EMPTY).mergedTo(generation)));
  }
}
