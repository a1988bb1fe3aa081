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
import io.turnkeeper.authority.ExecutorSession;
import io.turnkeeper.core.ExecutorId;
import java.time.Duration;
import java.util.UUID;

/**
 * The announcement of an executor. Its incarnation is the revision at which etcd stored it, which
 * rises without a counter; a newer process replaces the record, and the older one sees that.
 */
final class RegisterExecutor {
  private final EtcdConnection etcd;
  private final ExecutorId executor;
  private final ByteSequence key;

  RegisterExecutor(EtcdConnection etcd, ExecutorId executor) {
    this.etcd = etcd;
    this.executor = executor;
    this.key = etcd.keys().executor(executor);
  }

  ExecutorSession register(Duration ttl, Deadline deadline) throws NoAnswerException {
    RenewedLease lease = etcd.leases().grant(ttl, deadline);
    boolean registered = false;
    try {
      long incarnation = store(lease, deadline);
      registered = true;
      etcd.leases()
          .keep(
              lease,
              () ->
                  etcd.kv()
                      .get(key)
                      .thenApply(
                          found ->
                              !found.getKvs().isEmpty()
                                  && found.getKvs().get(0).getModRevision() == incarnation));
      return new Session(etcd.leases(), executor, incarnation, lease);
    } finally {
      if (!registered) {
        etcd.leases().close(lease);
      }
    }
  }

  private long store(RenewedLease lease, Deadline deadline) throws NoAnswerException {
    ByteSequence record = Records.executor(UUID.randomUUID().toString());
    while (true) {
      KeyValue earlier = etcd.together(deadline, key).get(0);
      TxnResponse response =
          etcd.transact(
                  new Cmp[] {unchanged(key, revision(earlier))},
                  new Op[] {put(key, record, lease)},
                  new Op[] {get(key)},
                  deadline)
              .value();
      if (response.isSucceeded()) {
        return response.getHeader().getRevision();
      }
      KeyValue found = values(response).get(0);
      if (found != null && found.getValue().equals(record)) {
        return revision(found);
      }
    }
  }

  private record Session(
      LeaseRenewals leases, ExecutorId executor, long incarnation, RenewedLease lease)
      implements ExecutorSession {
    @Override
    public void close() {
      leases.close(lease);
    }
  }
}
