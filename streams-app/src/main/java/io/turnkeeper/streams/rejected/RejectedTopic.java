package io.turnkeeper.streams.rejected;

import io.turnkeeper.events.CommittedReader;
import io.turnkeeper.events.Topic;
import io.turnkeeper.events.Topics;
import io.turnkeeper.streams.ConfigException;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.kafka.common.TopicPartition;

/** The rejected topic as operators read it. */
final class RejectedTopic implements AutoCloseable {
  private final Topics topics;
  private final CommittedReader reader;

  RejectedTopic(Map<String, ?> clientSettings, Topics topics) {
    this.topics = topics;
    reader = new CommittedReader(clientSettings);
  }

  void forEach(Consumer<RejectedRecord> into) {
    for (int partition = 0; partition < topics.partitions(Topic.REJECTED); partition++) {
      reader.read(at(partition), record -> into.accept(RejectedRecord.of(record)));
    }
  }

  /**
   * One record.
   *
   * @throws ConfigException if there is none
   */
  RejectedRecord get(RejectedId id) throws ConfigException {
    if (id.partition() < topics.partitions(Topic.REJECTED)) {
      var record = reader.at(at(id.partition()), id.offset());
      if (record.isPresent()) {
        return RejectedRecord.of(record.get());
      }
    }
    throw new ConfigException(
        "NO_SUCH_RECORD: "
            + topics.name(Topic.REJECTED)
            + " has no record "
            + id
            + "; it may be older than the topic keeps it");
  }

  private TopicPartition at(int partition) {
    return new TopicPartition(topics.name(Topic.REJECTED), partition);
  }

  @Override
  public void close() {
    reader.close();
  }
}
