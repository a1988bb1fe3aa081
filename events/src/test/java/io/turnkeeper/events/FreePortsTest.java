package io.turnkeeper.events;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import org.junit.jupiter.api.Test;

class FreePortsTest {
  @Test
  void noConnectionIsGivenThePortOfAServerThatIsAwayForAWhile() throws Exception {
    int first = FreePorts.next();
    int second = FreePorts.next();

    assertThat(second).isNotEqualTo(first);
    for (int port : new int[] {first, second}) {
      // Linux, macOS and Windows give connections ports from 32768 on.
      assertThat(port).isBetween(FreePorts.LOWEST, 32_767);
      try (ServerSocket server = new ServerSocket()) {
        server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
      }
    }
  }
}
