package io.turnkeeper.worker.authority;

import org.junit.jupiter.api.BeforeAll;

/** The contract on three etcds whose leader was killed. */
class ClusterKilledIT extends ClusterContract {
  @BeforeAll
  static void killTheLeader() throws Exception {
    cluster().leader().kill();
  }
}
