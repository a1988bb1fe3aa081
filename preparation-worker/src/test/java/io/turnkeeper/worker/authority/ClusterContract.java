package io.turnkeeper.worker.authority;

import static org.assertj.core.api.Assertions.assertThat;

import io.turnkeeper.authority.Authority;
import io.turnkeeper.authority.AuthorityContract;
import io.turnkeeper.authority.HeldTurn;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The contract on three etcds, one of which is disturbed. */
@SuppressWarnings("NullAway.Init")
abstract class ClusterContract extends AuthorityContract {
  private static EtcdCluster cluster;

  private DisturbedEtcd etcd;

  @BeforeAll
  static void start() throws Exception {
    cluster = EtcdCluster.start();
  }

  @AfterAll
  static void stop() {
    cluster.close();
  }

  static EtcdCluster cluster() {
    return cluster;
  }

  @BeforeEach
  void connect() {
    etcd = DisturbedEtcd.at(cluster.endpoints());
  }

  @AfterEach
  void disconnect() {
    etcd.close();
  }

  @Override
  protected Authority authority() {
    return etcd.authority();
  }

  @Override
  protected void expire(HeldTurn held) throws Exception {
    etcd.revoke(held);
  }

  @Test
  void aLostAnswerIsFoundOut() throws Exception {
    registered();
    HeldTurn held = take(1);
    etcd.kv().loseAnswers(1);
    committed(held, commit(2, true));
    assertThat(etcd.kv().lost()).isEqualTo(1);
    assertThat(head().version()).isEqualTo(2);
  }
}
