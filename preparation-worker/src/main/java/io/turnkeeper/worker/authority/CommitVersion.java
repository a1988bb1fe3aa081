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
import io.turnkeeper.authority.Commit;
import io.turnkeeper.authority.CommitOutcome;
import io.turnkeeper.authority.Deadline;
import io.turnkeeper.authority.Head;
import io.turnkeeper.authority.Heads;
import io.turnkeeper.authority.HeldTurn;
import io.turnkeeper.core.FailureCode;
import io.turnkeeper.worker.authority.EtcdCalls.Answer;
import io.turnkeeper.worker.authority.NoAnswerException.Fate;
import io.turnkeeper.worker.authority.Records.StoredHead;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The commit of one version. It compares the revision of the turn's key, which its holder never
 * rewrites and which goes with the lease, and that of the head: both together can hold only once.
 */
final class CommitVersion {
  private final EtcdConnection etcd;
  private final HeldTurn held;
  private final Commit commit;
  private final ByteSequence headKey;
  private final ByteSequence turnKey;
  private final ByteSequence manifestKey;
  private final ByteSequence manifestRecord;
  private final Head next;

  CommitVersion(EtcdConnection etcd, HeldTurn held, Commit commit) {
    this.etcd = etcd;
    this.held = held;
    this.commit = commit;
    this.headKey = etcd.keys().head(held.table());
    this.turnKey = etcd.keys().turn(held.table());
    this.manifestKey = etcd.keys().manifest(held.table(), commit.version());
    this.manifestRecord = Records.manifest(commit.manifest(), held.turn());
    this.next = Heads.after(held, commit);
  }

  CommitOutcome commit(Deadline deadline) {
    ByteSequence headRecord = Records.head(new StoredHead(next, false));
    CommitOutcome.Fenced refusal = Heads.refusal(held, commit, headRecord.size());
    if (refusal != null) {
      return lostOr(refusal, deadline);
    }
    Cmp[] conditions = {
      unchanged(turnKey, held.turnRevision()), unchanged(headKey, held.headRevision())
    };
    Op[] otherwise = {get(headKey), get(turnKey), get(manifestKey)};
    try {
      return answered(etcd.transact(conditions, writes(headRecord), otherwise, deadline));
    } catch (NoAnswerException e) {
      return e.fate() == Fate.NOT_APPLIED ? unavailable(e, null) : seen(e, deadline);
    }
  }

  /**
   * What can be seen of a commit that was not answered. The record of it proves that it landed; its
   * absence proves the contrary only if no attempt is still on its way.
   */
  private CommitOutcome seen(NoAnswerException failure, Deadline deadline) {
    try {
      KeyValue recorded = etcd.alone(deadline, manifestKey);
      if (isMine(recorded)) {
        return committed(revision(recorded));
      }
      if (failure.fate() == Fate.OPEN) {
        return unknown(EtcdErrors.text(failure));
      }
      StoredHead stored = stored(etcd.alone(deadline, headKey));
      return isClearedAway(recorded, stored)
          ? clearedAway()
          : unavailable(failure, stored == null ? null : stored.head());
    } catch (NoAnswerException e) {
      return unknown(EtcdErrors.text(failure));
    }
  }

  /**
   * Who lost the turn sees the versions of others and asks for one that does not follow; that is no
   * fault of the table, so the turn is looked at first.
   */
  private CommitOutcome lostOr(CommitOutcome.Fenced refusal, Deadline deadline) {
    try {
      List<@Nullable KeyValue> found = etcd.together(deadline, headKey, turnKey);
      boolean stillHeld =
          revision(found.get(0)) == held.headRevision()
              && revision(found.get(1)) == held.turnRevision();
      return stillHeld ? refusal : lost(stored(found.get(0)), found.get(1));
    } catch (NoAnswerException e) {
      return unavailable(e, null);
    }
  }

  private Op[] writes(ByteSequence headRecord) {
    Op head = put(headKey, headRecord);
    Op manifest = put(manifestKey, manifestRecord);
    return commit.last()
        ? new Op[] {head, manifest, Op.delete(turnKey, DeleteOption.DEFAULT)}
        : new Op[] {head, manifest};
  }

  private CommitOutcome answered(Answer<TxnResponse> answer) {
    TxnResponse response = answer.value();
    if (response.isSucceeded()) {
      return committed(response.getHeader().getRevision());
    }
    List<@Nullable KeyValue> found = values(response);
    KeyValue recorded = found.get(2);
    if (isMine(recorded)) {
      // An earlier attempt landed and its answer was lost.
      return committed(revision(recorded));
    }
    StoredHead stored = stored(found.get(0));
    if (answer.repeated() && isClearedAway(recorded, stored)) {
      return clearedAway();
    }
    return lost(stored, found.get(1));
  }

  private boolean isMine(@Nullable KeyValue recorded) {
    return recorded != null && recorded.getValue().equals(manifestRecord);
  }

  private boolean isClearedAway(@Nullable KeyValue recorded, @Nullable StoredHead stored) {
    return recorded == null && stored != null && stored.head().version() >= commit.version();
  }

  private CommitOutcome clearedAway() {
    return unknown(
        "version %d of %s exists, but the record of who made it is cleared away"
            .formatted(commit.version(), held.table()));
  }

  private static CommitOutcome unknown(String message) {
    return new CommitOutcome.Unknown(FailureCode.OUTCOME_UNKNOWN, message);
  }

  private static CommitOutcome unavailable(NoAnswerException failure, @Nullable Head head) {
    return fenced(FailureCode.AUTHORITY_UNAVAILABLE, EtcdErrors.text(failure), head);
  }

  private CommitOutcome committed(long revision) {
    return new CommitOutcome.Committed(held.after(next, revision), next);
  }

  private CommitOutcome lost(@Nullable StoredHead stored, @Nullable KeyValue turnRecord) {
    if (stored == null || stored.dropped()) {
      return fenced(FailureCode.NO_SUCH_TABLE, held.table() + " is dropped", null);
    }
    String reason;
    if (stored.head().highestTurn() > held.turn()) {
      reason = "turn %d was taken".formatted(stored.head().highestTurn());
    } else if (turnRecord == null) {
      reason = "it was released, or its lease ended";
    } else {
      reason =
          "the head is at version %d of turn %d"
              .formatted(stored.head().version(), stored.head().turn());
    }
    return fenced(
        FailureCode.TURN_LOST,
        "expected turn %d of %s to be held, but %s".formatted(held.turn(), held.table(), reason),
        stored.head());
  }

  private static @Nullable StoredHead stored(@Nullable KeyValue headRecord) {
    return headRecord == null ? null : Records.head(headRecord.getValue());
  }

  private static CommitOutcome fenced(FailureCode code, String message, @Nullable Head head) {
    return new CommitOutcome.Fenced(code, message, head);
  }
}
