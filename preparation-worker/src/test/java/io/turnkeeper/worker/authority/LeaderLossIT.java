package io.turnkeeper.worker.authority;

import static org.assertj.core.api.Assertions.assertThat;

import io.turnkeeper.authority.Authority;
import io.turnkeeper.authority.Commit;
import io.turnkeeper.authority.CommitOutcome;
import io.turnkeeper.authority.Deadline;
import io.turnkeeper.authority.HeldTurn;
import io.turnkeeper.authority.Manifest;
import io.turnkeeper.authority.RegisterOutcome;
import io.turnkeeper.authority.TakeOutcome;
import io.turnkeeper.core.Attempt;
import io.turnkeeper.core.ExecutorId;
import io.turnkeeper.core.TableId;
import io.turnkeeper.core.UnitId;
import java.time.Duration;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A turn that is held while the leader of three etcds freezes, comes back, and is killed. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class LeaderLossIT {
  private static final TableId TABLE = new TableId("flights");
  private static final int COMMITS = 4;

  @Test
  void everyCommitIsMadeOnceWhateverBecomesOfTheLeader() throws Exception {
    try (EtcdCluster cluster = EtcdCluster.start();
        DisturbedEtcd etcd = DisturbedEtcd.at(cluster.endpoints())) {
      Authority authority = etcd.authority();
      assertThat(
              authority.register(TABLE, "/data/flights", 1, manifest(1), new TreeMap<>(), soon()))
          .isInstanceOf(RegisterOutcome.Registered.class);
      HeldTurn held = take(authority);
      held = commits(authority, held);
      EtcdProcess frozen = cluster.leader();
      frozen.freeze();
      held = commits(authority, held);
      frozen.thaw();
      held = commits(authority, held);
      cluster.leader().kill();
      held = commits(authority, held);
      assertThat(held.lease().isLive()).isTrue();
      assertThat(authority.head(TABLE, soon()).orElseThrow()).isEqualTo(held.head());
      assertThat(held.head().version()).isEqualTo(1 + 4 * COMMITS);
    }
  }

  private static HeldTurn take(Authority authority) {
    Attempt attempt = new Attempt(new UnitId(TABLE, 1), 1, new ExecutorId("w"), 1);
    return ((TakeOutcome.Taken) authority.take(attempt, 1, Duration.ofSeconds(30), soon())).held();
  }

  private static HeldTurn commits(Authority authority, HeldTurn held) {
    HeldTurn next = held;
    for (int i = 0; i < COMMITS; i++) {
      long version = next.head().version() + 1;
      CommitOutcome outcome =
          authority.commit(
              next, new Commit(version, manifest(version), new TreeMap<>(), false), soon());
      assertThat(outcome).isInstanceOf(CommitOutcome.Committed.class);
      next = ((CommitOutcome.Committed) outcome).next();
    }
    return next;
  }

  private static Manifest manifest(long version) {
    return new Manifest("_fence/" + version + ".pending", 10, "0".repeat(64));
  }

  private static Deadline soon() {
    return Deadline.after(Duration.ofSeconds(20));
  }
}
