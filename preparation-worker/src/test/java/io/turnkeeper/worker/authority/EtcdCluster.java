package io.turnkeeper.worker.authority;

import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Three etcds that elect a leader among themselves. */
final class EtcdCluster implements AutoCloseable {
  private static final int MEMBERS = 3;
  private static final long ELECTION_NANOS = TimeUnit.SECONDS.toNanos(30);

  private final List<EtcdProcess> members;

  private EtcdCluster(List<EtcdProcess> members) {
    this.members = members;
  }

  static EtcdCluster start() throws IOException, InterruptedException {
    List<String> peers = new ArrayList<>();
    for (int i = 0; i < MEMBERS; i++) {
      peers.add(EtcdProcess.peer());
    }
    String all =
        IntStream.range(0, MEMBERS)
            .mapToObj(i -> "m" + i + "=" + peers.get(i))
            .collect(Collectors.joining(","));
    List<EtcdProcess> members = new ArrayList<>();
    for (int i = 0; i < MEMBERS; i++) {
      members.add(EtcdProcess.launch("m" + i, peers.get(i), all, "http", List.of()));
    }
    EtcdCluster cluster = new EtcdCluster(members);
    for (EtcdProcess member : members) {
      if (!member.becomesHealthy()) {
        cluster.close();
        throw new IllegalStateException("expected three etcds to become healthy");
      }
    }
    return cluster;
  }

  URI[] endpoints() {
    return members.stream().map(EtcdProcess::endpoint).toArray(URI[]::new);
  }

  /** The member that leads, once there is one. */
  EtcdProcess leader() throws InterruptedException {
    long deadline = System.nanoTime() + ELECTION_NANOS;
    while (System.nanoTime() < deadline) {
      Optional<EtcdProcess> leader = members.stream().filter(EtcdProcess::isLeader).findAny();
      if (leader.isPresent()) {
        return leader.get();
      }
      TimeUnit.MILLISECONDS.sleep(50);
    }
    throw new IllegalStateException("expected a leader");
  }

  @Override
  public void close() {
    members.forEach(EtcdProcess::close);
  }
}
