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
import io.turnkeeper.authority.Deadline;
import io.turnkeeper.authority.Head;
import io.turnkeeper.authority.HeldTurn;
import io.turnkeeper.authority.TakeOutcome;
import io.turnkeeper.core.Attempt;
import io.turnkeeper.worker.authority.Records.StoredHead;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The taking of a turn. The highest turn is written into the head, so that a lower one is refused
 * for ever: the turn's own key goes away with its lease and could not say so.
 */
final class TakeTurn {
  private final EtcdConnection etcd;
  private final Attempt attempt;
  private final long turn;
  private final ByteSequence headKey;
  private final ByteSequence turnKey;

  TakeTurn(EtcdConnection etcd, Attempt attempt, long turn) {
    this.etcd = etcd;
    this.attempt = attempt;
    this.turn = turn;
    this.headKey = etcd.keys().head(attempt.table());
    this.turnKey = etcd.keys().turn(attempt.table());
  }

  TakeOutcome take(Duration ttl, Deadline deadline) {
    RenewedLease lease = null;
    TakeOutcome outcome = null;
    try {
      while (outcome == null) {
        List<@Nullable KeyValue> seen = etcd.together(deadline, headKey, turnKey);
        outcome = refusal(seen.get(0));
        if (outcome == null) {
          lease = lease == null ? etcd.leases().grant(ttl, deadline) : lease;
          outcome = attempt(seen, lease, deadline);
        }
      }
    } catch (NoAnswerException e) {
      outcome = new TakeOutcome.Unavailable(EtcdErrors.text(e));
    } finally {
      if (lease != null && !(outcome instanceof TakeOutcome.Taken)) {
        etcd.leases().close(lease);
      }
    }
    return outcome;
  }

  private @Nullable TakeOutcome refusal(@Nullable KeyValue headRecord) {
    if (headRecord == null) {
      return new TakeOutcome.NoSuchTable(attempt.table());
    }
    StoredHead stored = Records.head(headRecord.getValue());
    if (stored.dropped()) {
      return new TakeOutcome.NoSuchTable(attempt.table());
    }
    return stored.head().highestTurn() < turn ? null : new TakeOutcome.StaleTurn(stored.head());
  }

  /** Null if somebody else changed head or turn meanwhile; this transaction then never lands. */
  private @Nullable TakeOutcome attempt(
      List<@Nullable KeyValue> seen, RenewedLease lease, Deadline deadline)
      throws NoAnswerException {
    KeyValue headRecord = seen.get(0);
    if (headRecord == null) {
      throw new IllegalStateException("expected a head of " + attempt.table());
    }
    Head head = Records.head(headRecord.getValue()).head().withHighestTurn(turn);
    ByteSequence record = Records.turn(attempt, turn);
    Cmp[] conditions = {
      unchanged(headKey, revision(headRecord)), unchanged(turnKey, revision(seen.get(1)))
    };
    Op[] then = {
      put(headKey, Records.head(new StoredHead(head, false))), put(turnKey, record, lease)
    };
    TxnResponse response =
        etcd.transact(conditions, then, new Op[] {get(turnKey)}, deadline).value();
    if (response.isSucceeded()) {
      return taken(response.getHeader().getRevision(), head, lease);
    }
    KeyValue holder = values(response).get(0);
    boolean mine =
        holder != null && holder.getLease() == lease.id() && holder.getValue().equals(record);
    return mine ? taken(revision(holder), head, lease) : null;
  }

  private TakeOutcome taken(long revision, Head head, RenewedLease lease) {
    etcd.leases().keep(lease, null);
    return new TakeOutcome.Taken(
        new HeldTurn(turn, attempt, revision, revision, head, lease), head);
  }
}
