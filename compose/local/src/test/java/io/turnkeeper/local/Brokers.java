package io.turnkeeper.local;

import java.nio.file.Path;
import org.testcontainers.kafka.KafkaContainer;
import org.testcontainers.utility.DockerImageName;

/**
 * The Kafka a test runs on. {@code -Dbroker=external -Dkafka.bootstrap=HOST:PORT} takes one that is
 * there; otherwise a test starts its own, in its process or, with {@code -Dbroker=container}, with
 * Docker. {@code -Dkafka.image=NAME} chooses another image than Kafka's.
 */
public interface Brokers extends AutoCloseable {
  String bootstrap();

  /** How many copies its topics have. */
  default short replication() {
    return 1;
  }

  /** Whether others go on using it after this test. */
  default boolean isShared() {
    return false;
  }

  @Override
  void close();

  /** The one that the system property {@code broker} names; embedded if there is none. */
  static Brokers chosen(Path folder) {
    String choice = choice();
    return switch (choice) {
      case "embedded" -> embedded(folder);
      case "container" -> container(System.getProperty("kafka.image", "apache/kafka:4.4.0"));
      case "external" -> external(System.getProperty("kafka.bootstrap", ""));
      default ->
          throw new IllegalArgumentException(
              "expected -Dbroker=embedded, container or external, but it is " + choice);
    };
  }

  /** Whether they are started with Docker. */
  static boolean areContainers() {
    return choice().equals("container");
  }

  private static String choice() {
    return System.getProperty("broker", "embedded");
  }

  private static Brokers embedded(Path folder) {
    Ports ports = new Ports(folder.resolve("ports.properties"));
    EmbeddedBroker broker =
        EmbeddedBroker.start(
            folder.resolve("kafka"),
            ports.choose("kafka", Ports.ANY),
            ports.choose("kafka-controller", Ports.ANY));
    return new Brokers() {
      @Override
      public String bootstrap() {
        return broker.bootstrap();
      }

      @Override
      public void close() {
        broker.close();
      }
    };
  }

  private static Brokers container(String image) {
    KafkaContainer kafka =
        new KafkaContainer(DockerImageName.parse(image).asCompatibleSubstituteFor("apache/kafka"));
    kafka.start();
    return new Brokers() {
      @Override
      public String bootstrap() {
        return kafka.getBootstrapServers();
      }

      @Override
      public void close() {
        kafka.close();
      }
    };
  }

  private static Brokers external(String bootstrap) {
    if (bootstrap.isEmpty()) {
      throw new IllegalArgumentException("-Dbroker=external needs -Dkafka.bootstrap=HOST:PORT");
    }
    return new Brokers() {
      @Override
      public String bootstrap() {
        return bootstrap;
      }

      @Override
      public boolean isShared() {
        return true;
      }

      @Override
      public void close() {
        // It is not ours.
      }
    };
  }
}
