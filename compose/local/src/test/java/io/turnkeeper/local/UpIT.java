package io.turnkeeper.local;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class UpIT {
  private static final Duration UP = Duration.ofSeconds(60);
  private static final Duration SHORT = Duration.ofSeconds(30);

  @TempDir Path temp;

  private Launched up(String... more) throws Exception {
    String[] arguments = new String[3 + more.length];
    arguments[0] = "up";
    arguments[1] = "--data-dir";
    arguments[2] = temp.resolve("data").toString();
    System.arraycopy(more, 0, arguments, 3, more.length);
    return Launched.start(temp, "", arguments);
  }

  @Test
  void stopsInOrderAndContinuesWhereItStopped() throws Exception {
    Launched.Addresses first;
    try (Launched up = up()) {
      first = up.awaitUp(UP);
      try (Launched second = up()) {
        assertThat(second.awaitExit(SHORT)).isEqualTo(2);
        assertThat(second.output()).contains("in use by another process");
      }
      ProcessHandle etcd = up.descendant("--name=turnkeeper").orElseThrow();
      assertThat(up.stop()).isLessThan(Duration.ofSeconds(10));
      assertThat(etcd.isAlive()).isFalse();
      assertThat(up.output().lines().filter(line -> !line.contains(" it waits for ")))
          .as("starting, up, stopping")
          .hasSize(3);
    }
    try (Launched up = up()) {
      assertThat(up.awaitUp(UP)).isEqualTo(first);
      ProcessHandle etcd = up.descendant("--name=turnkeeper").orElseThrow();
      etcd.destroyForcibly();
      assertThat(up.awaitExit(SHORT)).isEqualTo(1);
      assertThat(up.output()).contains("turnkeeper: etcd ended with code 137, its log is ");
    }
  }

  @Test
  void aBusyPortIsAClearError() throws Exception {
    try (ServerSocket busy = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        Launched up = up("--kafka-port", Integer.toString(busy.getLocalPort()))) {
      assertThat(up.awaitExit(SHORT)).isEqualTo(2);
      assertThat(up.output()).contains("port " + busy.getLocalPort() + " for kafka is in use");
    }
  }
}
