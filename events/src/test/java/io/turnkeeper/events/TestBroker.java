package io.turnkeeper.events;

import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Properties;
import kafka.server.KafkaConfig;
import kafka.server.KafkaRaftServer;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.metadata.storage.Formatter;

/** A real single-node broker on loopback, for one test class. */
public final class TestBroker implements AutoCloseable {
  private final KafkaConfig config;
  private final String bootstrap;
  private KafkaRaftServer server;

  public TestBroker(Path directory) throws Exception {
    int port = FreePorts.next();
    int controllerPort = FreePorts.next();
    bootstrap = "127.0.0.1:" + port;
    try (PrintStream nowhere =
        new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8)) {
      new Formatter()
          .setPrintStream(nowhere)
          .setClusterId(Uuid.randomUuid().toString())
          .setNodeId(1)
          .addDirectory(directory.toString())
          .setMetadataLogDirectory(directory.toString())
          .setControllerListenerName("CONTROLLER")
          .setIgnoreFormatted(true)
          .run();
    }
    if (!Files.exists(directory.resolve("meta.properties"))) {
      throw new IllegalStateException("expected a formatted directory, but it is " + directory);
    }
    config = KafkaConfig.fromProps(settings(directory, controllerPort), false);
    server = started();
  }

  private KafkaRaftServer started() {
    KafkaRaftServer started = new KafkaRaftServer(config, Time.SYSTEM);
    started.startup();
    return started;
  }

  /** Starts it again where it was, after it was closed. */
  public void restart() {
    server = started();
  }

  public Map<String, Object> clientSettings() {
    return Map.of("bootstrap.servers", bootstrap);
  }

  public String bootstrap() {
    return bootstrap;
  }

  public Admin admin() {
    return Admin.create(clientSettings());
  }

  private Properties settings(Path directory, int controllerPort) {
    Properties settings = new Properties();
    settings.putAll(
        Map.of(
            "process.roles", "broker,controller",
            "node.id", "1",
            "listeners", "CLIENT://" + bootstrap + ",CONTROLLER://127.0.0.1:" + controllerPort,
            "advertised.listeners", "CLIENT://" + bootstrap,
            "inter.broker.listener.name", "CLIENT",
            "controller.listener.names", "CONTROLLER",
            "listener.security.protocol.map", "CLIENT:PLAINTEXT,CONTROLLER:PLAINTEXT",
            "controller.quorum.voters", "1@127.0.0.1:" + controllerPort,
            "log.dirs", directory.toString(),
            "auto.create.topics.enable", "false"));
    settings.putAll(
        Map.of(
            "offsets.topic.replication.factor", "1",
            "offsets.topic.num.partitions", "1",
            "transaction.state.log.replication.factor", "1",
            "transaction.state.log.min.isr", "1",
            "transaction.state.log.num.partitions", "1",
            "share.coordinator.state.topic.replication.factor", "1",
            "share.coordinator.state.topic.min.isr", "1",
            "group.initial.rebalance.delay.ms", "0",
            "log.cleaner.dedupe.buffer.size", "16777216"));
    return settings;
  }

  @Override
  public void close() {
    server.shutdown();
    server.awaitShutdown();
  }
}
