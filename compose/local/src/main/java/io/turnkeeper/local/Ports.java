package io.turnkeeper.local;

import java.io.IOException;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Properties;
import java.util.Random;

/** The loopback ports of one data directory: chosen free at first, the same ever after. */
final class Ports {
  static final int ANY = 0;

  // Below the range from which systems hand out ports for outgoing connections, so that a
  // remembered port is not taken by somebody's connection in between.
  private static final int LOWEST = 20_000;
  private static final int HIGHEST = 32_000;
  private static final int MAX_TRIES = 1_000;
  static final int HIGHEST_POSSIBLE = 65_535;

  private final Path file;
  private final Properties remembered = new Properties();
  private final Map<Integer, String> chosen = new HashMap<>();
  private final Random random = new Random();

  Ports(Path file) {
    this.file = file;
    if (Files.exists(file)) {
      try (Reader reader = Files.newBufferedReader(file)) {
        remembered.load(reader);
      } catch (IOException e) {
        throw new UncheckedIOException("cannot read " + file, e);
      }
    }
  }

  /**
   * The port for {@code name}: {@code wanted} if given, else the remembered one, else a free one.
   *
   * @throws ConfigException if the given or remembered port is in use
   */
  int choose(String name, int wanted) {
    int port = wanted != ANY ? wanted : rememberedPort(name);
    if (port < ANY || port > HIGHEST_POSSIBLE) {
      throw new ConfigException(
          "expected a port from 1 to " + HIGHEST_POSSIBLE + " for " + name + ", but it is " + port);
    }
    if (port == ANY) {
      port = anyFree();
    } else if (!chosen.getOrDefault(port, name).equals(name)) {
      throw new ConfigException(
          "expected different ports, but " + name + " is given " + port + " too");
    } else if (!isFree(port)) {
      throw new ConfigException(busy(name, port, wanted != ANY));
    }
    chosen.put(port, name);
    remembered.setProperty(name, Integer.toString(port));
    return port;
  }

  void save() {
    try (Writer writer = Files.newBufferedWriter(file)) {
      remembered.store(writer, "loopback ports of this data directory");
    } catch (IOException e) {
      throw new UncheckedIOException("cannot write " + file, e);
    }
  }

  private String busy(String name, int port, boolean given) {
    return "port "
        + port
        + " for "
        + name
        + " is in use on 127.0.0.1; stop what listens there or choose another port"
        + (given ? "" : " (it is remembered in " + file + ")");
  }

  private int rememberedPort(String name) {
    String value = remembered.getProperty(name, "0");
    try {
      return Integer.parseInt(value);
    } catch (NumberFormatException e) {
      throw new ConfigException(
          "expected a port for " + name + " in " + file + ", but it is '" + value + "'", e);
    }
  }

  private int anyFree() {
    for (int i = 0; i < MAX_TRIES; i++) {
      int port = LOWEST + random.nextInt(HIGHEST - LOWEST);
      if (!chosen.containsKey(port) && isFree(port)) {
        return port;
      }
    }
    throw new ConfigException("no free port between " + LOWEST + " and " + HIGHEST);
  }

  static boolean isFree(int port) {
    try (ServerSocket socket = new ServerSocket()) {
      socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
      return true;
    } catch (IOException e) {
      return false;
    }
  }
}
