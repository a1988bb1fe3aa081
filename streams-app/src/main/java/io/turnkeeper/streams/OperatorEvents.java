package io.turnkeeper.streams;

import io.turnkeeper.core.TableId;
import io.turnkeeper.core.table.PolicyEvent;
import io.turnkeeper.core.table.TableSnapshot;
import io.turnkeeper.events.EventProducer;
import io.turnkeeper.events.RecordCodec;
import io.turnkeeper.events.Topic;
import io.turnkeeper.events.Topics;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/** What operators do by hand, as events, and the newest that they are shown. */
record OperatorEvents(SchedulerConfig config) {
  static OperatorEvents by(KafkaOptions kafka) {
    return new OperatorEvents(kafka.scheduler());
  }

  /** Sends an event and says where it is; the scheduler folds it in its turn. */
  String send(PolicyEvent event) throws ConfigException, InterruptedException {
    try (EventProducer producer =
        new EventProducer(config.client(), config.topics(), new RecordCodec(), "/operators")) {
      RecordMetadata sent = producer.publish(event).get();
      return "sent as " + sent.topic() + "-" + sent.partition() + " offset " + sent.offset();
    } catch (ExecutionException e) {
      throw new IllegalStateException("cannot send the event: " + e.getCause(), e);
    }
  }

  /** A table as it was last shown; empty if nothing is known of it. */
  Optional<TableSnapshot> known(TableId table) {
    String key = table.value();
    int partitions = config.topics().partitions(Topic.TABLE_STATE);
    return shown(key, Topics.partitionOf(Topics.utf8(key), partitions)) instanceof TableSnapshot one
        ? Optional.of(one)
        : Optional.empty();
  }

  /** What is shown under a key of a partition, null for nothing. */
  @Nullable Object shown(String key, int partition) {
    return new TableStateReader(config.client(), new RecordCodec())
        .newest(new TopicPartition(config.topics().name(Topic.TABLE_STATE), partition))
        .get(key);
  }
}
