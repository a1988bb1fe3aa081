package io.turnkeeper.core.table;

import io.turnkeeper.core.FailureCode;
import io.turnkeeper.core.Now;
import io.turnkeeper.core.ShardId;
import io.turnkeeper.core.table.DemandEvent.TableDropped;
import io.turnkeeper.core.table.DemandEvent.TableObserved;
import io.turnkeeper.core.table.DemandEvent.TableRegistered;
import io.turnkeeper.core.table.DemandEvent.WalSealed;
import io.turnkeeper.core.table.TableState.Draft;
import java.util.Map;
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
      return before.edit(
          draft -> {
            draft.registration = registration;
            OperatorFold.tryAgain(draft);
          });
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
              draft.defaultsVersion = before.defaultsVersion();
              draft.turns = Turns.NONE.raisedTo(before.turns().highest());
              draft.lastUnit = before.lastUnit();
              draft.lastProbe = before.lastProbe();
              draft.held = before.held();
              draft.released = before.released();
              draft.abandoned = before.abandoned();
              before
                  .units()
                  .values()
                  .forEach(
                      unit -> {
                        UnitFold.abandon(draft, unit);
                        UnitFold.takeBack(draft, unit);
                      });
            });
  }

  static TableState observed(TableState before, TableObserved event, Now now) {
    Observation known = before.observation();
    if (!isOf(before, event.tableIncarnation())
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
            event.garbageBytes(),
            event.lastWriteAtMillis(),
            now.atMillis());
    return before.edit(draft -> draft.observation = seen);
  }

  static TableState sealed(TableState before, WalSealed event, Now now) {
    if (!isOf(before, event.tableIncarnation())) {
      return before; // Nothing is lost: every incarnation's log is looked at once it is known.
    }
    if (hasRoomFor(before.shards(), event.shard())) {
      return before.withShard(event.shard(), before.shard(event.shard()).sealed(event));
    }
    return before.edit(
        draft ->
            UnitFold.enter(
                draft,
                TableState.SHARDS_KEY,
                FailureCode.TOO_MANY_SHARDS.name(),
                "expected at most "
                    + TableState.MAX_SHARDS
                    + " shards, but "
                    + event.shard()
                    + " is one more",
                now));
  }

  /** Whether it is about the table as it is, not one that was dropped or is not known yet. */
  private static boolean isOf(TableState state, long incarnation) {
    return state.registration() != null && state.incarnation() == incarnation;
  }

  static void merged(Draft draft, SortedMap<ShardId, Long> mergedThrough) {
    mergedThrough.forEach(
        (id, generation) -> {
          if (hasRoomFor(draft.shards, id)) {
            draft.shards.put(id, draft.shards.getOrDefault(id, Shard.EMPTY).mergedTo(generation));
          }
        });
  }

  /** A state that grew without a bound could not be written any more. */
  private static boolean hasRoomFor(Map<ShardId, Shard> shards, ShardId id) {
    return shards.size() < TableState.MAX_SHARDS || shards.containsKey(id);
  }
}
