package io.turnkeeper.events;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Loopback ports for servers that tests start, and start again where they were. They lie below the
 * range from which systems give ports to outgoing connections: while such a server is away, no
 * connection is given its port.
 */
public final class FreePorts {
  static final int LOWEST = 20_000;
  static final int HIGHEST = 32_000;

  // Never the same port twice in a row, so that two servers may ask before either listens.
  private static final AtomicInteger NEXT =
      new AtomicInteger(ThreadLocalRandom.current().nextInt(HIGHEST - LOWEST));

  private FreePorts() {}

  /** A port on which nobody listens now. */
  public static int next() {
    for (int i = LOWEST; i < HIGHEST; i++) {
      int port = LOWEST + Math.floorMod(NEXT.getAndIncrement(), HIGHEST - LOWEST);
      if (isFree(port)) {
        return port;
      }
    }
    throw new IllegalStateException("no free port between " + LOWEST + " and " + HIGHEST);
  }

  private static boolean isFree(int port) {
    try (ServerSocket socket = new ServerSocket()) {
      socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
      return true;
    } catch (IOException e) {
      // Somebody listens there.
      return false;
    }
  }
}
