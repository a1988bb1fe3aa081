package io.turnkeeper.worker.authority;

import static io.turnkeeper.worker.authority.EtcdConnection.unchanged;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.Client;
import io.etcd.jetcd.ClientBuilder;
import io.etcd.jetcd.KV;
import io.etcd.jetcd.KeyValue;
import io.etcd.jetcd.kv.TxnResponse;
import io.etcd.jetcd.op.Cmp;
import io.etcd.jetcd.op.Op;
import io.etcd.jetcd.options.DeleteOption;
import io.turnkeeper.authority.Authority;
import io.turnkeeper.authority.AuthorityUnavailableException;
import io.turnkeeper.authority.Commit;
import io.turnkeeper.authority.CommitOutcome;
import io.turnkeeper.authority.Deadline;
import io.turnkeeper.authority.ExecutorSession;
import io.turnkeeper.authority.Head;
import io.turnkeeper.authority.HeldTurn;
import io.turnkeeper.authority.Location;
import io.turnkeeper.authority.Manifest;
import io.turnkeeper.authority.RegisterOutcome;
import io.turnkeeper.authority.ReleaseOutcome;
import io.turnkeeper.authority.TakeOutcome;
import io.turnkeeper.core.Attempt;
import io.turnkeeper.core.ExecutorId;
import io.turnkeeper.core.ShardId;
import io.turnkeeper.core.TableId;
import io.turnkeeper.worker.authority.EtcdCalls.Answer;
import io.turnkeeper.worker.authority.Records.StoredHead;
import java.time.Duration;
import java.util.Optional;
import java.util.SortedMap;
import javax.net.ssl.SSLException;

/** The authority in etcd. It fences by modification revisions and never by values or leases. */
public final class EtcdAuthority implements Authority {
  private final Client client;
  private final EtcdConnection etcd;

  private EtcdAuthority(Client client, EtcdConnection etcd) {
    this.client = client;
    this.etcd = etcd;
  }

  /** Prepares a connection; the first call makes it. */
  public static EtcdAuthority connect(EtcdSettings settings) {
    ClientBuilder builder =
        Client.builder()
            .endpoints(settings.endpoints())
            // Else a call to an etcd that is not there hangs instead of failing.
            .waitForReady(false)
            .keepaliveTime(Duration.ofSeconds(10))
            .keepaliveTimeout(Duration.ofSeconds(2))
            // etcd takes pings of an idle connection for an attack, and closes it.
            .keepaliveWithoutCalls(false)
            // What may be repeated is decided here, and every failure is seen.
            .retryMaxAttempts(0);
    EtcdSecurity security = settings.security();
    if (settings.isEncrypted()) {
      try {
        builder.sslContext(security::into);
      } catch (SSLException e) {
        throw new IllegalArgumentException(
            "expected certificates and a PKCS#8 key in PEM, but " + EtcdErrors.text(e), e);
      }
    }
    if (security.hasUser()) {
      builder
          .user(ByteSequence.from(security.user(), UTF_8))
          .password(ByteSequence.from(security.password(), UTF_8));
    }
    Client client = builder.build();
    return over(client, client.getKVClient(), settings);
  }

  /** An authority whose reads and transactions go through {@code kv}, which tests disturb. */
  static EtcdAuthority over(Client client, KV kv, EtcdSettings settings) {
    EtcdCalls calls = new EtcdCalls(settings.callTimeout());
    LeaseRenewals leases = new LeaseRenewals(client.getLeaseClient(), calls);
    return new EtcdAuthority(
        client, new EtcdConnection(kv, calls, leases, new Keys(settings.prefix())));
  }

  @Override
  public Optional<Head> head(TableId table, Deadline deadline)
      throws AuthorityUnavailableException {
    return value(etcd.keys().head(table), deadline)
        .map(Records::head)
        .filter(stored -> !stored.dropped())
        .map(StoredHead::head);
  }

  @Override
  public Optional<Manifest> manifest(TableId table, long version, Deadline deadline)
      throws AuthorityUnavailableException {
    return value(etcd.keys().manifest(table, version), deadline).map(Records::manifest);
  }

  @Override
  public Optional<Location> location(String uri, Deadline deadline)
      throws AuthorityUnavailableException {
    return value(etcd.keys().location(uri), deadline).map(Records::location);
  }

  @Override
  public TakeOutcome take(Attempt attempt, long turn, Duration ttl, Deadline deadline) {
    return new TakeTurn(etcd, attempt, turn).take(ttl, deadline);
  }

  @Override
  public CommitOutcome commit(HeldTurn held, Commit commit, Deadline deadline) {
    CommitOutcome outcome = new CommitVersion(etcd, held, commit).commit(deadline);
    if (commit.last() || !(outcome instanceof CommitOutcome.Committed)) {
      etcd.leases().close(leaseOf(held));
    }
    return outcome;
  }

  @Override
  public ReleaseOutcome release(HeldTurn held, Deadline deadline) {
    ByteSequence key = etcd.keys().turn(held.table());
    try {
      Answer<TxnResponse> answer =
          etcd.transact(
              new Cmp[] {unchanged(key, held.turnRevision())},
              new Op[] {Op.delete(key, DeleteOption.DEFAULT)},
              new Op[0],
              deadline);
      return answer.value().isSucceeded()
          ? new ReleaseOutcome.Released()
          : new ReleaseOutcome.NotHeld();
    } catch (NoAnswerException e) {
      return new ReleaseOutcome.Unknown(EtcdErrors.text(e));
    } finally {
      etcd.leases().close(leaseOf(held));
    }
  }

  @Override
  public RegisterOutcome register(
      TableId table,
      String uri,
      long version,
      Manifest manifest,
      SortedMap<ShardId, Long> mergedThrough,
      Deadline deadline) {
    return new RegisterTable(etcd, table).register(uri, version, manifest, mergedThrough, deadline);
  }

  @Override
  public boolean drop(HeldTurn held, Deadline deadline) throws AuthorityUnavailableException {
    try {
      return new RegisterTable(etcd, held.table()).drop(held, deadline);
    } catch (NoAnswerException e) {
      throw new AuthorityUnavailableException(EtcdErrors.text(e), e);
    } finally {
      etcd.leases().close(leaseOf(held));
    }
  }

  @Override
  public boolean forget(HeldTurn held, long version, Deadline deadline)
      throws AuthorityUnavailableException {
    ByteSequence first = etcd.keys().manifest(held.table(), 0);
    ByteSequence end = etcd.keys().manifest(held.table(), Math.min(version, held.head().version()));
    Op delete = Op.delete(first, DeleteOption.builder().withRange(end).build());
    Cmp[] heldStill = {unchanged(etcd.keys().turn(held.table()), held.turnRevision())};
    try {
      // What is repeated finds nothing more to delete.
      return etcd.transact(heldStill, new Op[] {delete}, new Op[0], deadline).value().isSucceeded();
    } catch (NoAnswerException e) {
      throw new AuthorityUnavailableException(EtcdErrors.text(e), e);
    }
  }

  @Override
  public ExecutorSession registerExecutor(ExecutorId executor, Duration ttl, Deadline deadline)
      throws AuthorityUnavailableException {
    try {
      return new RegisterExecutor(etcd, executor).register(ttl, deadline);
    } catch (NoAnswerException e) {
      throw new AuthorityUnavailableException(EtcdErrors.text(e), e);
    }
  }

  @Override
  public void close() {
    etcd.leases().close();
    client.close();
  }

  private Optional<ByteSequence> value(ByteSequence key, Deadline deadline)
      throws AuthorityUnavailableException {
    return etcd.calls().read(() -> etcd.kv().get(key), deadline).getKvs().stream()
        .findFirst()
        .map(KeyValue::getValue);
  }

  private static RenewedLease leaseOf(HeldTurn held) {
    if (held.lease() instanceof RenewedLease lease) {
      return lease;
    }
    throw new IllegalStateException("expected a turn that was taken from etcd, but it is " + held);
  }
}
