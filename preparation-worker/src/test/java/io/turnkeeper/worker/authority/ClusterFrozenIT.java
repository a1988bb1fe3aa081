package io.turnkeeper.worker.authority;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** The contract on three etcds, with the leader frozen anew for each test; takes minutes. */
@EnabledIfSystemProperty(named = "cluster", matches = "frozen")
@SuppressWarnings("NullAway.Init")
class ClusterFrozenIT extends ClusterContract {
  private EtcdProcess frozen;

  @BeforeEach
  void freezeTheLeader() throws Exception {
    frozen = cluster().leader();
    frozen.freeze();
  }

  @AfterEach
  void thaw() throws Exception {
    frozen.thaw();
  }
}
