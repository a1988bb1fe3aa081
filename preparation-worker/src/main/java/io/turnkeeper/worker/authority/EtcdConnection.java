package io.turnkeeper.worker.authority;

import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.KV;
import io.etcd.jetcd.KeyValue;
import io.etcd.jetcd.kv.GetResponse;
import io.etcd.jetcd.kv.TxnResponse;
import io.etcd.jetcd.op.Cmp;
import io.etcd.jetcd.op.CmpTarget;
import io.etcd.jetcd.op.Op;
import io.etcd.jetcd.options.GetOption;
import io.etcd.jetcd.options.PutOption;
import io.turnkeeper.authority.Deadline;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What the rules of the authority need of etcd: keys, bounded calls and transactions. */
record EtcdConnection(KV kv, EtcdCalls calls, LeaseRenewals leases, Keys keys) {

  /** A condition that holds while the key is as it was at {@code revision}; 0 means absent. */
  static Cmp unchanged(ByteSequence key, long revision) {
    return new Cmp(key, Cmp.Op.EQUAL, CmpTarget.modRevision(revision));
  }

  static Op put(ByteSequence key, ByteSequence value) {
    return Op.put(key, value, PutOption.DEFAULT);
  }

  static Op put(ByteSequence key, ByteSequence value, RenewedLease lease) {
    return Op.put(key, value, PutOption.builder().withLeaseId(lease.id()).build());
  }

  static Op get(ByteSequence key) {
    return Op.get(key, GetOption.DEFAULT);
  }

  /** Runs the identical transaction until it is answered. */
  EtcdCalls.Answer<TxnResponse> transact(Cmp[] conditions, Op[] then, Op[] otherwise, Deadline by)
      throws NoAnswerException {
    return calls.ask(() -> kv.txn().If(conditions).Then(then).Else(otherwise).commit(), by);
  }

  /** The values of several keys at one revision, in their order; null where there is none. */
  List<@Nullable KeyValue> together(Deadline by, ByteSequence... keysToRead)
      throws NoAnswerException {
    Op[] reads = new Op[keysToRead.length];
    for (int i = 0; i < reads.length; i++) {
      reads[i] = get(keysToRead[i]);
    }
    return values(calls.ask(() -> kv.txn().Then(reads).commit(), by).value());
  }

  /** The value of one key; null if there is none. Read without a transaction, which takes space. */
  @Nullable KeyValue alone(Deadline by, ByteSequence key) throws NoAnswerException {
    List<KeyValue> found = calls.ask(() -> kv.get(key), by).value().getKvs();
    return found.isEmpty() ? null : found.get(0);
  }

  /** What the reads of a transaction found, in their order; null where there is nothing. */
  static List<@Nullable KeyValue> values(TxnResponse response) {
    List<@Nullable KeyValue> found = new ArrayList<>();
    for (GetResponse read : response.getGetResponses()) {
      found.add(read.getKvs().isEmpty() ? null : read.getKvs().get(0));
    }
    return found;
  }

  static long revision(@Nullable KeyValue value) {
    return value == null ? 0 : value.getModRevision();
  }
}
