package io.turnkeeper.worker.authority;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.HttpURLConnection;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** A private etcd for tests: a child process on free loopback ports with its own directory. */
public final class EtcdProcess implements AutoCloseable {
  private static final int STARTS = 3;
  private static final long HEALTHY_NANOS = TimeUnit.SECONDS.toNanos(30);

  private final Path directory;
  private final Process process;
  private final URI endpoint;

  private EtcdProcess(Path directory, Process process, URI endpoint) {
    this.directory = directory;
    this.process = process;
    this.endpoint = endpoint;
  }

  /** Starts one and waits until it is healthy. */
  public static EtcdProcess start() throws IOException, InterruptedException {
    // Another process may take a port between the choice and the start.
    for (int attempt = 1; attempt < STARTS; attempt++) {
      EtcdProcess etcd = launch();
      if (etcd.becomesHealthy()) {
        return etcd;
      }
      etcd.close();
    }
    EtcdProcess etcd = launch();
    if (!etcd.becomesHealthy()) {
      String log = Files.readString(etcd.directory.resolve("etcd.log"));
      etcd.close();
      throw new IllegalStateException("expected etcd to become healthy, but its log says: " + log);
    }
    return etcd;
  }

  public URI endpoint() {
    return endpoint;
  }

  /** Stops answering without closing a connection, as a frozen machine does. */
  public void freeze() throws IOException, InterruptedException {
    signal("STOP");
  }

  public void thaw() throws IOException, InterruptedException {
    signal("CONT");
  }

  @Override
  public void close() {
    process.destroyForcibly();
    try {
      process.waitFor(10, TimeUnit.SECONDS);
      try (Stream<Path> files = Files.walk(directory)) {
        for (Path file : files.sorted(java.util.Comparator.reverseOrder()).toList()) {
          Files.delete(file);
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static EtcdProcess launch() throws IOException {
    Path directory = Files.createTempDirectory("etcd");
    URI client = URI.create("http://127.0.0.1:" + freePort());
    String peer = "http://127.0.0.1:" + freePort();
    ProcessBuilder builder =
        new ProcessBuilder(
            "etcd",
            "--name=test",
            "--data-dir=" + directory.resolve("data"),
            "--listen-client-urls=" + client,
            "--advertise-client-urls=" + client,
            "--listen-peer-urls=" + peer,
            "--initial-advertise-peer-urls=" + peer,
            "--initial-cluster=test=" + peer,
            "--initial-cluster-state=new",
            "--logger=zap",
            "--log-level=warn",
            // A test outlives no power cut, and shared disks are slow.
            "--unsafe-no-fsync");
    builder.redirectErrorStream(true).redirectOutput(directory.resolve("etcd.log").toFile());
    return new EtcdProcess(directory, builder.start(), client);
  }

  private boolean becomesHealthy() throws InterruptedException {
    long deadline = System.nanoTime() + HEALTHY_NANOS;
    while (process.isAlive() && System.nanoTime() - deadline < 0) {
      if (isHealthy()) {
        return true;
      }
      TimeUnit.MILLISECONDS.sleep(50);
    }
    return false;
  }

  private boolean isHealthy() {
    try {
      HttpURLConnection connection =
          (HttpURLConnection) endpoint.resolve("/health").toURL().openConnection();
      connection.setConnectTimeout(500);
      connection.setReadTimeout(500);
      return connection.getResponseCode() == HttpURLConnection.HTTP_OK;
    } catch (IOException e) {
      // Not yet.
      return false;
    }
  }

  private void signal(String name) throws IOException, InterruptedException {
    new ProcessBuilder("kill", "-" + name, Long.toString(process.pid())).start().waitFor();
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }
}
