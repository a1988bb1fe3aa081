package io.turnkeeper.local;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
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

  @Test
  void aKilledOneIsFencedBeforeItStartsAgain() throws Exception {
    Ports ports = new Ports(temp.resolve("ports.properties"));
    Path killed = temp.resolve("killed");
    try (EmbeddedBroker broker =
            EmbeddedBroker.start(
                temp.resolve("kafka"),
                ports.choose("kafka", Ports.ANY),
                ports.choose("kafka-controller", Ports.ANY));
        Admin admin = Admin.create(Map.of("bootstrap.servers", broker.bootstrap()))) {
      admin
          .createTopics(List.of(new NewTopic("kept", 1, (short) 1)))
          .all()
          .get(20, TimeUnit.SECONDS);
      // What lies on the disk now is what a kill would leave.
      copy(temp.resolve("kafka"), killed);
    }
    assertThat(KilledBroker.isIn(killed)).isTrue();
    assertThat(KilledBroker.isIn(temp.resolve("kafka"))).isFalse();
    try (EmbeddedBroker broker =
            EmbeddedBroker.start(
                killed,
                ports.choose("other", Ports.ANY),
                ports.choose("other-controller", Ports.ANY));
        Admin admin = Admin.create(Map.of("bootstrap.servers", broker.bootstrap()))) {
      assertThat(admin.listTopics().names().get(20, TimeUnit.SECONDS)).contains("kept");
    }
  }

  /** Files come and go while this looks; one that is gone is one that the kill did not leave. */
  private static void copy(Path from, Path to) throws IOException {
    Files.walkFileTree(
        from,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes)
              throws IOException {
            Files.createDirectories(to.resolve(from.relativize(folder).toString()));
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            try {
              Files.copy(file, to.resolve(from.relativize(file).toString()));
            } catch (NoSuchFileException gone) {
              return visitFileFailed(file, gone);
            }
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFileFailed(Path file, IOException failure)
              throws IOException {
            if (failure instanceof NoSuchFileException) {
              return FileVisitResult.CONTINUE;
            }
            throw failure;
          }
        });
  }
}
