package io.turnkeeper.local;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EmbeddedBrokerIT {
  @TempDir Path temp;

  @Test
  void keepsItsTopicsAcrossARestart() throws Exception {
    Ports ports = new Ports(temp.resolve("ports.properties"));
    int port = ports.choose("kafka", Ports.ANY);
    int controller = ports.choose("kafka-controller", Ports.ANY);
    try (EmbeddedBroker broker = EmbeddedBroker.start(temp.resolve("kafka"), port, controller);
        Admin admin = Admin.create(Map.of("bootstrap.servers", broker.bootstrap()))) {
      admin
          .createTopics(List.of(new NewTopic("kept", 1, (short) 1)))
          .all()
          .get(20, TimeUnit.SECONDS);
    }
    try (EmbeddedBroker broker = EmbeddedBroker.start(temp.resolve("kafka"), port, controller);
        Admin admin = Admin.create(Map.of("bootstrap.servers", broker.bootstrap()))) {
      assertThat(admin.listTopics().names().get(20, TimeUnit.SECONDS)).contains("kept");
    }
  }
}
