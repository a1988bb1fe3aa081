package io.turnkeeper.local;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EtcdProcessIT {
  @TempDir Path temp;

  private EtcdProcess start(Ports ports) {
    return EtcdProcess.start(
        EtcdBinary.find(System.getenv()),
        temp.resolve("etcd"),
        temp.resolve("logs/etcd.log"),
        ports.choose("etcd", Ports.ANY),
        ports.choose("etcd-peer", Ports.ANY));
  }

  @Test
  void startsStopsAndStartsAgainOnTheSameDirectory() {
    Ports ports = new Ports(temp.resolve("ports.properties"));
    for (int i = 0; i < 2; i++) {
      try (EtcdProcess etcd = start(ports)) {
        etcd.awaitHealthy();
        etcd.requireRunning();
      }
    }
    assertThat(temp.resolve("etcd/etcd.pid")).doesNotExist();
  }

  @Test
  void aLeftoverOfTheSameDirectoryIsEndedFirst() throws Exception {
    Ports ports = new Ports(temp.resolve("ports.properties"));
    try (EtcdProcess old = start(ports)) {
      old.awaitHealthy();
      long pid = Long.parseLong(Files.readString(temp.resolve("etcd/etcd.pid")).strip());
      EtcdProcess.endLeftover(temp.resolve("etcd/etcd.pid"), temp.resolve("etcd"));
      assertThat(ProcessHandle.of(pid).filter(ProcessHandle::isAlive)).isEmpty();
      try (EtcdProcess fresh = start(new Ports(temp.resolve("other.properties")))) {
        fresh.awaitHealthy();
      }
    }
  }

  @Test
  void etcdEndsWhenThePipeOfItsParentCloses() throws Exception {
    try (EtcdProcess etcd = start(new Ports(temp.resolve("ports.properties")))) {
      etcd.awaitHealthy();
      ProcessHandle process =
          ProcessHandle.of(Long.parseLong(Files.readString(temp.resolve("etcd/etcd.pid")).strip()))
              .orElseThrow();
      etcd.closePipe();
      process
          .onExit()
          .get(Duration.ofSeconds(10).toMillis(), java.util.concurrent.TimeUnit.MILLISECONDS);
      assertThat(process.isAlive()).isFalse();
    }
  }
}
