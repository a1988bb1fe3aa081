package io.turnkeeper.local;

import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Properties;
import kafka.server.KafkaConfig;
import kafka.server.KafkaRaftServer;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.metadata.storage.Formatter;

/** A Kafka broker and its controller inside this process, on loopback ports only. */
final class EmbeddedBroker implements AutoCloseable {
  private final KafkaRaftServer server;
  private final String bootstrap;

  private EmbeddedBroker(KafkaRaftServer server, String bootstrap) {
    this.server = server;
    this.bootstrap = bootstrap;
  }

  /** Starts on {@code directory}, formatting it first if it is new; returns when it serves. */
  static EmbeddedBroker start(Path directory, int port, int controllerPort) {
    Properties properties = properties(directory, port, controllerPort);
    if (isFormatted(directory) && KilledBroker.isIn(directory)) {
      KilledBroker.fence(properties, controllerListener(controllerPort));
    }
    return start(directory, properties, Uuid.randomUuid());
  }

  /**
   * Starts with these properties on {@code directory}, as a part of {@code cluster} if it is new.
   */
  static EmbeddedBroker start(Path directory, Properties properties, Uuid cluster) {
    KafkaConfig config = KafkaConfig.fromProps(properties, false);
    if (!isFormatted(directory)) {
      format(directory, config.nodeId(), cluster);
    }
    KafkaRaftServer server = new KafkaRaftServer(config, Time.SYSTEM);
    server.startup();
    String listener = properties.getProperty("advertised.listeners");
    return new EmbeddedBroker(server, listener.substring(listener.indexOf("//") + 2));
  }

  private static boolean isFormatted(Path directory) {
    return Files.exists(directory.resolve("meta.properties"));
  }

  String bootstrap() {
    return bootstrap;
  }

  @Override
  public void close() {
    server.shutdown();
    server.awaitShutdown();
  }

  private static void format(Path directory, int nodeId, Uuid cluster) {
    try {
      new Formatter()
          .setPrintStream(
              new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8))
          .setClusterId(cluster.toString())
          .setNodeId(nodeId)
          .addDirectory(directory.toString())
          .setMetadataLogDirectory(directory.toString())
          .setControllerListenerName("CONTROLLER")
          .setIgnoreFormatted(true)
          .run();
    } catch (Exception e) {
      throw new IllegalStateException("cannot format the broker's directory " + directory, e);
    }
  }

  private static String controllerListener(int port) {
    return "CONTROLLER://127.0.0.1:" + port;
  }

  /** What a broker that is alone runs with. */
  static Properties properties(Path directory, int port, int controllerPort) {
    String client = "CLIENT://127.0.0.1:" + port;
    Properties p = new Properties();
    p.put("process.roles", "broker,controller");
    p.put("node.id", "1");
    p.put("listeners", client + "," + controllerListener(controllerPort));
    p.put("advertised.listeners", client);
    p.put("inter.broker.listener.name", "CLIENT");
    p.put("controller.listener.names", "CONTROLLER");
    p.put("listener.security.protocol.map", "CLIENT:PLAINTEXT,CONTROLLER:PLAINTEXT");
    // A static quorum does not write its ports down, so they may differ at the next start.
    p.put("controller.quorum.voters", "1@127.0.0.1:" + controllerPort);
    p.put("log.dirs", directory.toString());
    p.put("offsets.topic.replication.factor", "1");
    p.put("offsets.topic.num.partitions", "1");
    p.put("transaction.state.log.replication.factor", "1");
    p.put("transaction.state.log.min.isr", "1");
    p.put("transaction.state.log.num.partitions", "1");
    // Whoever takes over from a dead instance waits until its transaction is ended; default 10 s.
    p.put("transaction.abort.timed.out.transaction.cleanup.interval.ms", "1000");
    p.put("share.coordinator.state.topic.replication.factor", "1");
    p.put("share.coordinator.state.topic.min.isr", "1");
    p.put("group.initial.rebalance.delay.ms", "0");
    p.put("auto.create.topics.enable", "false");
    p.put("num.network.threads", "2");
    p.put("num.io.threads", "2");
    p.put("log.cleaner.dedupe.buffer.size", "16777216");
    return p;
  }
}
