package io.turnkeeper.streams;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.turnkeeper.events.Topic;
import io.turnkeeper.local.OnBrokers;
import io.turnkeeper.local.SchedulerOnBroker;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@OnBrokers
class SchedulerIT {
  @TempDir static Path temp;
  private static SchedulerOnBroker broker;

  @BeforeAll
  static void start() {
    broker = new SchedulerOnBroker(temp, 1);
  }

  @AfterAll
  static void stop() {
    broker.close();
  }

  @Test
  void membersWhoseSessionsEndBeforeTheyAreRemovedAreNoFault() throws Exception {
    SchedulerGroup group = new SchedulerGroup(broker.admin, broker.config());
    assertThatCode(group::removeMembers).as("no group").doesNotThrowAnyException();
    group.raise(Map.of(new TopicPartition(broker.topics.name(Topic.DEMAND), 0), 0L));
    assertThatCode(group::removeMembers).as("a group of nobody").doesNotThrowAnyException();
    assertThat(broker.admin.listGroups().all().get()).isNotEmpty();
  }

  @Test
  void aSchedulerThatWaitsForTheTransactionOfADeadOneStopsAtOnce() throws Exception {
    try (KafkaProducer<byte[], byte[]> dead = transactional()) {
      dead.send(new ProducerRecord<>(broker.topics.name(Topic.JOURNAL), 0, null, new byte[0]))
          .get();
      SchedulerApp app = new SchedulerApp(broker.config());
      app.start();
      SchedulerOnBroker.await("it to wait", SchedulerIT::isAnyoneWaitingForATransaction);
      long before = System.nanoTime();
      app.close();
      assertThat(Duration.ofNanos(System.nanoTime() - before))
          .isLessThan(SchedulerApp.STOP_LIMIT.dividedBy(2));
      dead.abortTransaction();
    }
  }

  private static boolean isAnyoneWaitingForATransaction() {
    return Thread.getAllStackTraces().values().stream()
        .flatMap(Stream::of)
        .anyMatch(
            frame ->
                frame.getClassName().equals(JournalEnds.class.getName())
                    && frame.getMethodName().equals("settledEnd"));
  }

  /** A producer whose transaction is open. */
  private static KafkaProducer<byte[], byte[]> transactional() {
    Map<String, Object> settings = new HashMap<>(broker.client());
    settings.put("transactional.id", broker.topics.prefix() + "dead");
    KafkaProducer<byte[], byte[]> producer =
        new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer());
    producer.initTransactions();
    producer.beginTransaction();
    return producer;
  }
}
