package io.turnkeeper.bench;

import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/** One etcd that syncs what it writes, as in production, on ports and a directory of its own. */
final class EtcdServer implements AutoCloseable {
  private static final long START_SECONDS = 30;

  final URI endpoint;
  private final Path directory;
  private final Process process;

  /** Starts the program that {@code ETCD_BIN} names, or {@code etcd} of the path. */
  EtcdServer() throws IOException, InterruptedException {
    directory = Files.createTempDirectory("bench-etcd");
    endpoint = URI.create("http://127.0.0.1:" + freePort());
    String peer = "http://127.0.0.1:" + freePort();
    process =
        new ProcessBuilder(
                System.getenv().getOrDefault("ETCD_BIN", "etcd"),
                "--name=bench",
                "--data-dir=" + directory.resolve("data"),
                "--listen-client-urls=" + endpoint,
                "--advertise-client-urls=" + endpoint,
                "--listen-peer-urls=" + peer,
                "--initial-advertise-peer-urls=" + peer,
                "--initial-cluster=bench=" + peer,
                "--logger=zap",
                "--log-level=error")
            .redirectErrorStream(true)
            .redirectOutput(directory.resolve("etcd.log").toFile())
            .start();
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(START_SECONDS);
    while (!isHealthy()) {
      if (!process.isAlive() || System.nanoTime() > deadline) {
        String log = Files.readString(directory.resolve("etcd.log"));
        close();
        throw new IOException("expected etcd to become healthy, but its log says: " + log);
      }
      TimeUnit.MILLISECONDS.sleep(50);
    }
  }

  private boolean isHealthy() {
    try {
      HttpURLConnection health =
          (HttpURLConnection) endpoint.resolve("/health").toURL().openConnection();
      health.setConnectTimeout(500);
      health.setReadTimeout(500);
      return health.getResponseCode() == HttpURLConnection.HTTP_OK;
    } catch (IOException e) {
      // Not yet.
      return false;
    }
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  @Override
  public void close() throws IOException {
    process.destroyForcibly();
    try {
      process.waitFor(START_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    BenchTable.delete(directory);
  }
}
