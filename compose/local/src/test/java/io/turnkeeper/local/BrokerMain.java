package io.turnkeeper.local;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Properties;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.common.Uuid;

/** One broker as a process of its own; it ends with whoever started it. */
final class BrokerMain {
  static final String READY = "BROKER IS READY";

  private BrokerMain() {}

  /**
   * Starts node {@code args[1]}, counted from 0, in folder {@code args[0]}; the rest are the client
   * ports of all nodes and then their controllers'.
   */
  public static void main(String[] args) throws Exception {
    Path folder = Path.of(args[0]);
    int node = Integer.parseInt(args[1]);
    int[] ports = Arrays.stream(args).skip(2).mapToInt(Integer::parseInt).toArray();
    int nodes = ports.length / 2;
    EmbeddedBroker broker =
        nodes == 1
            ? EmbeddedBroker.start(folder, ports[0], ports[1])
            : EmbeddedBroker.start(folder, clustered(folder, node, nodes, ports), cluster(folder));
    Runtime.getRuntime().addShutdownHook(new Thread(broker::close, "stop"));
    System.out.println(READY);
    System.out.flush();
    while (System.in.read() >= 0) {
      // Nobody says anything; the end is what is waited for.
    }
    Runtime.getRuntime().halt(1);
  }

  private static Properties clustered(Path folder, int node, int nodes, int[] ports) {
    Properties p = EmbeddedBroker.properties(folder, ports[node], ports[nodes + node]);
    p.put("node.id", Integer.toString(node + 1));
    p.put(
        "controller.quorum.voters",
        IntStream.range(0, nodes)
            .mapToObj(i -> (i + 1) + "@127.0.0.1:" + ports[nodes + i])
            .collect(Collectors.joining(",")));
    String copies = Integer.toString(nodes);
    String inSync = Integer.toString(nodes - 1);
    p.put("default.replication.factor", copies);
    p.put("min.insync.replicas", inSync);
    p.put("offsets.topic.replication.factor", copies);
    p.put("transaction.state.log.replication.factor", copies);
    p.put("transaction.state.log.min.isr", inSync);
    p.put("broker.session.timeout.ms", "3000");
    p.put("broker.heartbeat.interval.ms", "500");
    p.put("replica.lag.time.max.ms", "5000");
    return p;
  }

  /** The same for all nodes that lie side by side. */
  private static Uuid cluster(Path folder) {
    byte[] name = String.valueOf(folder.getParent()).getBytes(StandardCharsets.UTF_8);
    java.util.UUID id = java.util.UUID.nameUUIDFromBytes(name);
    return new Uuid(id.getMostSignificantBits(), id.getLeastSignificantBits());
  }
}
