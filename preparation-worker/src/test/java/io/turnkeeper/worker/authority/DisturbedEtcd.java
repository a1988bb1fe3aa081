package io.turnkeeper.worker.authority;

import io.etcd.jetcd.Client;
import io.turnkeeper.authority.HeldTurn;
import io.turnkeeper.core.TableId;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;

/** An authority over a real etcd, under a prefix of its own, whose calls a test can disturb. */
public final class DisturbedEtcd implements AutoCloseable {
  private final Client client;
  private final FaultyKv kv;
  private final EtcdSettings settings;
  private final EtcdAuthority authority;

  /** An authority that knows no table. */
  public static DisturbedEtcd at(URI... endpoints) {
    return new DisturbedEtcd(
        new EtcdSettings(List.of(endpoints), "/" + UUID.randomUUID() + "/", Duration.ofSeconds(1)));
  }

  private DisturbedEtcd(EtcdSettings settings) {
    this.settings = settings;
    this.client = Client.builder().endpoints(settings.endpoints()).waitForReady(false).build();
    this.kv = new FaultyKv(client.getKVClient());
    this.authority = EtcdAuthority.over(client, kv.kv(), settings);
  }

  public EtcdAuthority authority() {
    return authority;
  }

  public FaultyKv kv() {
    return kv;
  }

  /** Another process: the same tables over a connection of its own, undisturbed. */
  public DisturbedEtcd another() {
    return new DisturbedEtcd(settings);
  }

  /** Ends the lease of a turn on etcd's side. */
  public void revoke(HeldTurn held) throws Exception {
    client.getLeaseClient().revoke(((RenewedLease) held.lease()).id()).get(5, TimeUnit.SECONDS);
  }

  /** Clears the record of a version away, as is done below the head. */
  void clear(TableId table, long version) throws Exception {
    client
        .getKVClient()
        .delete(new Keys(settings.prefix()).manifest(table, version))
        .get(5, TimeUnit.SECONDS);
  }

  @Override
  public void close() {
    authority.close();
  }
}
