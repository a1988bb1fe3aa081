package io.turnkeeper.worker.authority;

import static io.turnkeeper.worker.authority.EtcdConnection.get;
import static io.turnkeeper.worker.authority.EtcdConnection.put;
import static io.turnkeeper.worker.authority.EtcdConnection.revision;
import static io.turnkeeper.worker.authority.EtcdConnection.unchanged;
import static io.turnkeeper.worker.authority.EtcdConnection.values;

import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.KeyValue;
import io.etcd.jetcd.kv.TxnResponse;
import io.etcd.jetcd.op.Cmp;
import io.etcd.jetcd.op.Op;
import io.etcd.jetcd.options.DeleteOption;
import io.turnkeeper.authority.Deadline;
import io.turnkeeper.authority.Head;
import io.turnkeeper.authority.Heads;
import io.turnkeeper.authority.HeldTurn;
import io.turnkeeper.authority.Location;
import io.turnkeeper.authority.Manifest;
import io.turnkeeper.authority.RegisterOutcome;
import io.turnkeeper.core.ShardId;
import io.turnkeeper.core.TableId;
import io.turnkeeper.worker.authority.EtcdCalls.Answer;
import io.turnkeeper.worker.authority.Records.StoredHead;
import java.util.List;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/** The coming and going of a table: head and location change together or not at all. */
final class RegisterTable {
  private final EtcdConnection etcd;
  private final TableId table;
  private final ByteSequence headKey;

  RegisterTable(EtcdConnection etcd, TableId table) {
    this.etcd = etcd;
    this.table = table;
    this.headKey = etcd.keys().head(table);
  }

  RegisterOutcome register(
      String uri,
      long version,
      Manifest manifest,
      SortedMap<ShardId, Long> mergedThrough,
      Deadline deadline) {
    ByteSequence locationKey = etcd.keys().location(uri);
    ByteSequence mine = null;
    try {
      while (true) {
        List<@Nullable KeyValue> seen = etcd.together(deadline, headKey, locationKey);
        StoredHead stored = stored(seen.get(0));
        RegisterOutcome known = known(uri, stored, seen, mine);
        if (known != null) {
          return known;
        }
        Head head =
            Heads.adopted(
                uri, version, manifest, mergedThrough, stored == null ? null : stored.head());
        ByteSequence record = Records.head(new StoredHead(head, false));
        if (record.size() > Heads.MAX_BYTES) {
          return new RegisterOutcome.TooManyShards(
              mergedThrough.size(), record.size(), Heads.MAX_BYTES);
        }
        Cmp[] conditions = {
          unchanged(headKey, revision(seen.get(0))), unchanged(locationKey, revision(seen.get(1)))
        };
        Op[] then = {
          put(headKey, record),
          put(locationKey, Records.location(new Location(table, head.tableIncarnation()), uri)),
          put(etcd.keys().manifest(table, version), Records.manifest(manifest, 0))
        };
        Answer<TxnResponse> answer =
            etcd.transact(conditions, then, new Op[] {get(headKey)}, deadline);
        if (answer.value().isSucceeded()) {
          return new RegisterOutcome.Registered(head);
        }
        // Either an earlier attempt landed, or somebody else was faster: look again.
        mine = answer.repeated() ? record : null;
      }
    } catch (NoAnswerException e) {
      return new RegisterOutcome.Unavailable(EtcdErrors.text(e));
    }
  }

  boolean drop(HeldTurn held, Deadline deadline) throws NoAnswerException {
    ByteSequence turnKey = etcd.keys().turn(table);
    ByteSequence tombstone = Records.head(new StoredHead(held.head(), true));
    Cmp[] conditions = {
      unchanged(turnKey, held.turnRevision()), unchanged(headKey, held.headRevision())
    };
    Op[] then = {
      put(headKey, tombstone),
      Op.delete(etcd.keys().location(held.head().uri()), DeleteOption.DEFAULT),
      Op.delete(turnKey, DeleteOption.DEFAULT)
    };
    Answer<TxnResponse> answer = etcd.transact(conditions, then, new Op[] {get(headKey)}, deadline);
    if (answer.value().isSucceeded()) {
      return true;
    }
    // The tombstone names the turn that dropped the table, so it is known as one's own.
    KeyValue found = values(answer.value()).get(0);
    return answer.repeated() && found != null && found.getValue().equals(tombstone);
  }

  private @Nullable RegisterOutcome known(
      String uri,
      @Nullable StoredHead stored,
      List<@Nullable KeyValue> seen,
      @Nullable ByteSequence mine) {
    KeyValue headRecord = seen.get(0);
    if (headRecord != null && stored != null && !stored.dropped()) {
      if (headRecord.getValue().equals(mine)) {
        return new RegisterOutcome.Registered(stored.head());
      }
      return stored.head().uri().equals(uri)
          ? new RegisterOutcome.AlreadyRegistered(stored.head())
          : new RegisterOutcome.RegisteredElsewhere(stored.head());
    }
    KeyValue locationRecord = seen.get(1);
    return locationRecord == null
        ? null
        : new RegisterOutcome.LocationTaken(Records.location(locationRecord.getValue()).table());
  }

  private static @Nullable StoredHead stored(@Nullable KeyValue record) {
    return record == null ? null : Records.head(record.getValue());
  }
}
