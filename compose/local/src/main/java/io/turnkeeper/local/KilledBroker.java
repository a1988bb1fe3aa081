package io.turnkeeper.local;

import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Properties;
import javax.management.InstanceNotFoundException;
import javax.management.JMException;
import javax.management.ObjectName;
import kafka.server.KafkaConfig;
import kafka.server.KafkaRaftServer;
import org.apache.kafka.common.utils.Time;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes their leadership from the partitions of a broker that was killed, before it starts again.
 *
 * <p>Kafka's metadata calls a killed broker the leader until its session has run out. If it starts
 * again within that time, its transaction coordinator goes on with a commit that the kill cut
 * short; then the session runs out, no partition has a leader, Kafka 4.4.0 takes them for deleted,
 * skips their commit markers, and calls the transaction complete. Its readers then wait for ever
 * for it to end. So the controller runs alone until it has fenced the broker.
 */
final class KilledBroker {
  private static final Logger LOGGER = LoggerFactory.getLogger(KilledBroker.class);
  private static final String CLEAN_SHUTDOWN = ".kafka_cleanshutdown";
  private static final String FENCED_BROKERS =
      "kafka.controller:type=KafkaController,name=FencedBrokerCount";
  private static final String SESSION_MILLIS = "500";
  private static final String HEARTBEAT_MILLIS = "100";

  /** A broker that was killed before it had ever registered is never counted. */
  private static final Duration LIMIT = Duration.ofSeconds(5);

  private static final long PAUSE_MILLIS = 20;

  private KilledBroker() {}

  /** Whether the broker of that formatted directory did not stop in order. */
  static boolean isIn(Path directory) {
    return !Files.exists(directory.resolve(CLEAN_SHUTDOWN));
  }

  /**
   * Runs the controller alone until the broker is fenced.
   *
   * @param broker the properties the broker will start with
   */
  static void fence(Properties broker, String controllerListener) {
    Properties controller = new Properties();
    controller.putAll(broker);
    controller.put("process.roles", "controller");
    controller.put("listeners", controllerListener);
    controller.remove("advertised.listeners");
    controller.remove("inter.broker.listener.name");
    controller.put("broker.session.timeout.ms", SESSION_MILLIS);
    controller.put("broker.heartbeat.interval.ms", HEARTBEAT_MILLIS);
    KafkaRaftServer server =
        new KafkaRaftServer(KafkaConfig.fromProps(controller, false), Time.SYSTEM);
    server.startup();
    try {
      awaitFenced();
    } finally {
      server.shutdown();
      server.awaitShutdown();
    }
  }

  private static void awaitFenced() {
    long deadline = System.nanoTime() + LIMIT.toNanos();
    while (fencedBrokers() == 0) {
      if (System.nanoTime() > deadline) {
        LOGGER.atWarn().log("no broker was fenced within {} s", LIMIT.toSeconds());
        return;
      }
      try {
        Thread.sleep(PAUSE_MILLIS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IllegalStateException("interrupted while waiting for the controller", e);
      }
    }
  }

  private static int fencedBrokers() {
    try {
      Object value =
          ManagementFactory.getPlatformMBeanServer()
              .getAttribute(new ObjectName(FENCED_BROKERS), "Value");
      return ((Number) value).intValue();
    } catch (InstanceNotFoundException e) {
      // The controller has not got so far.
      return 0;
    } catch (JMException e) {
      throw new IllegalStateException("cannot read " + FENCED_BROKERS, e);
    }
  }
}
