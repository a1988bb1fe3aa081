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
    if (!Files.exists(directory.resolve("meta.properties"))) {
      format(directory);
    } else if (KilledBroker.isIn(directory)) {
      KilledBroker.fence(properties, controllerListener(controllerPort));
    }
    KafkaRaftServer server =
        new KafkaRaftServer(KafkaConfig.fromProps(properties, false), Time.SYSTEM);
    server.startup();
    return new EmbeddedBroker(server, "127.0.0.1:" + port);
  }

  String bootstrap() {
    return bootstrap;
  }

  @Override
  public void close() {
    server.shutdown();
    server.awaitShutdown();
  }

  private static void format(Path directory) {
    try {
      new Formatter()
          .setPrintStream(
              new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8))
          .setClusterId(Uuid.randomUuid().toString())
          .setNodeId(1)
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

  private static Properties properties(Path directory, int port, int controllerPort) {
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
