package io.turnkeeper.local;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** One broker, or several that copy each other's records, in processes that a test may kill. */
public final class BrokerProcesses implements Brokers {
  private static final Duration START_LIMIT = Duration.ofSeconds(90);
  private static final Duration STOP_LIMIT = Duration.ofSeconds(20);

  private final Path folder;
  private final List<Integer> ports = new ArrayList<>();
  private final List<Process> nodes = new ArrayList<>();

  private BrokerProcesses(Path folder) {
    this.folder = folder;
  }

  /** Starts that many and waits until all are there. */
  public static BrokerProcesses start(Path folder, int count) throws Exception {
    BrokerProcesses brokers = new BrokerProcesses(Files.createDirectories(folder));
    Ports free = new Ports(folder.resolve("ports.properties"));
    for (int port = 0; port < 2 * count; port++) {
      brokers.ports.add(free.choose("port-" + port, Ports.ANY));
    }
    try {
      for (int node = 0; node < count; node++) {
        brokers.nodes.add(brokers.launch(node));
      }
      for (int node = 0; node < count; node++) {
        brokers.awaitReady(node);
      }
      return brokers;
    } catch (Exception | AssertionError e) {
      brokers.close();
      throw e;
    }
  }

  private Process launch(int node) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-Xmx256m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.addAll(List.of(BrokerMain.class.getName(), folder.resolve("node-" + node).toString()));
    command.add(Integer.toString(node));
    ports.forEach(port -> command.add(Integer.toString(port)));
    Files.deleteIfExists(output(node));
    return new ProcessBuilder(command)
        .redirectErrorStream(true)
        .redirectOutput(output(node).toFile())
        .start();
  }

  private void awaitReady(int node) throws Exception {
    long deadline = System.nanoTime() + START_LIMIT.toNanos();
    while (!Files.readString(output(node)).contains(BrokerMain.READY)) {
      if (!nodes.get(node).isAlive() || System.nanoTime() > deadline) {
        throw new AssertionError(
            "expected broker " + node + " to serve: " + Files.readString(output(node)));
      }
      Thread.sleep(50);
    }
  }

  private Path output(int node) {
    return folder.resolve("node-" + node + ".out");
  }

  @Override
  public String bootstrap() {
    return IntStream.range(0, nodes.size())
        .mapToObj(node -> "127.0.0.1:" + ports.get(node))
        .collect(Collectors.joining(","));
  }

  @Override
  public short replication() {
    return (short) nodes.size();
  }

  /** Ends the node with this id, which begin at 1, without any warning. */
  public void kill(int id) throws InterruptedException {
    nodes.get(id - 1).destroyForcibly().waitFor();
  }

  /** Starts a node that was killed on what it has left behind, and waits until it serves. */
  public void restart(int id) throws Exception {
    nodes.set(id - 1, launch(id - 1));
    awaitReady(id - 1);
  }

  @Override
  public void close() {
    nodes.forEach(Process::destroy);
    for (Process node : nodes) {
      try {
        if (!node.waitFor(STOP_LIMIT.toMillis(), TimeUnit.MILLISECONDS)) {
          node.destroyForcibly();
        }
      } catch (InterruptedException e) {
        node.destroyForcibly();
        Thread.currentThread().interrupt();
      }
    }
  }
}
