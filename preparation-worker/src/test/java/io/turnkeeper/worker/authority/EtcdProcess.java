package io.turnkeeper.worker.authority;

import io.turnkeeper.events.FreePorts;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** A private etcd for tests: a child process on free loopback ports with its own directory. */
public final class EtcdProcess implements AutoCloseable {
  private static final int STARTS = 3;
  private static final long HEALTHY_NANOS = TimeUnit.SECONDS.toNanos(30);

  private final Path directory;
  private final ProcessBuilder builder;
  private final URI endpoint;
  private final URI metrics;
  private volatile Process process;

  private EtcdProcess(Path directory, ProcessBuilder builder, URI endpoint, URI metrics)
      throws IOException {
    this.directory = directory;
    this.builder = builder;
    this.endpoint = endpoint;
    this.metrics = metrics;
    this.process = builder.start();
  }

  /** Starts one and waits until it is healthy. */
  public static EtcdProcess start() throws IOException, InterruptedException {
    return start("http", List.of());
  }

  /** Starts one that is spoken to by {@code scheme}, with more arguments. */
  static EtcdProcess start(String scheme, List<String> arguments)
      throws IOException, InterruptedException {
    // Another process may take a port between the choice and the start.
    for (int attempt = 1; attempt < STARTS; attempt++) {
      EtcdProcess etcd = launch(scheme, arguments);
      if (etcd.becomesHealthy()) {
        return etcd;
      }
      etcd.close();
    }
    EtcdProcess etcd = launch(scheme, arguments);
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

  private static EtcdProcess launch(String scheme, List<String> arguments) throws IOException {
    String peer = peer();
    return launch("test", peer, "test=" + peer, scheme, arguments);
  }

  /** A URL for a member to be reached by the others. */
  static String peer() {
    return "http://127.0.0.1:" + FreePorts.next();
  }

  /** Starts a member of a cluster, which is healthy only when most of the others are there. */
  static EtcdProcess launch(
      String name, String peer, String cluster, String scheme, List<String> arguments)
      throws IOException {
    Path directory = Files.createTempDirectory("etcd");
    URI client = URI.create(scheme + "://127.0.0.1:" + FreePorts.next());
    // Health is asked for here, whatever certificates clients must have.
    URI metrics = URI.create("http://127.0.0.1:" + FreePorts.next());
    ProcessBuilder builder =
        new ProcessBuilder(
            "etcd",
            "--name=" + name,
            "--data-dir=" + directory.resolve("data"),
            "--listen-client-urls=" + client,
            "--advertise-client-urls=" + client,
            "--listen-metrics-urls=" + metrics,
            "--listen-peer-urls=" + peer,
            "--initial-advertise-peer-urls=" + peer,
            "--initial-cluster=" + cluster,
            "--initial-cluster-state=new",
            "--logger=zap",
            "--log-level=warn",
            // A test outlives no power cut, and shared disks are slow.
            "--unsafe-no-fsync");
    builder.command().addAll(arguments);
    builder.redirectErrorStream(true).redirectOutput(directory.resolve("etcd.log").toFile());
    return new EtcdProcess(directory, builder, client, metrics);
  }

  boolean becomesHealthy() throws InterruptedException {
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
          (HttpURLConnection) metrics.resolve("/health").toURL().openConnection();
      connection.setConnectTimeout(500);
      connection.setReadTimeout(500);
      return connection.getResponseCode() == HttpURLConnection.HTTP_OK;
    } catch (IOException e) {
      // Not yet.
      return false;
    }
  }

  /** Whether it leads its cluster; false if it does not say. */
  boolean isLeader() {
    try {
      HttpURLConnection connection =
          (HttpURLConnection) metrics.resolve("/metrics").toURL().openConnection();
      connection.setConnectTimeout(500);
      connection.setReadTimeout(500);
      try (var body = connection.getInputStream()) {
        return new String(body.readAllBytes(), StandardCharsets.UTF_8)
            .contains("\netcd_server_is_leader 1");
      }
    } catch (IOException e) {
      // It is dead or frozen.
      return false;
    }
  }

  /** Ends it as a power cut does; its directory stays until it is closed. */
  public void kill() throws InterruptedException {
    process.destroyForcibly().waitFor();
  }

  /** Starts it again on what it has left behind, and waits until it is healthy. */
  public void restart() throws IOException, InterruptedException {
    process = builder.start();
    if (!becomesHealthy()) {
      throw new IllegalStateException("expected etcd to come back in " + directory);
    }
  }

  private void signal(String name) throws IOException, InterruptedException {
    new ProcessBuilder("kill", "-" + name, Long.toString(process.pid())).start().waitFor();
  }
}
