package io.turnkeeper.local.story;

import io.turnkeeper.core.TableId;
import io.turnkeeper.core.partition.DecisionRecord;
import io.turnkeeper.core.partition.JournalEntry;
import io.turnkeeper.events.CommittedRecords;
import io.turnkeeper.events.CommittedRecords.WhenGone;
import io.turnkeeper.events.InvalidRecordException;
import io.turnkeeper.events.RecordCodec;
import io.turnkeeper.events.Topic;
import io.turnkeeper.events.Topics;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;

/** Follows journal and decisions of one table's partition from their beginning. */
public final class ChronicleReader implements AutoCloseable {
  private static final Duration POLL = Duration.ofMillis(100);

  private final RecordCodec codec;
  private final JournalListener listener;
  private final TopicPartition journal;
  private final TopicPartition decisions;
  private final KafkaConsumer<byte[], byte[]> consumer;
  private final AtomicBoolean stopped = new AtomicBoolean();
  private final Thread thread;

  public ChronicleReader(
      String bootstrap, Topics topics, RecordCodec codec, TableId table, JournalListener listener) {
    this.codec = codec;
    this.listener = listener;
    int partition =
        Topics.partitionOf(Topics.utf8(table.value()), topics.partitions(Topic.JOURNAL));
    journal = new TopicPartition(topics.name(Topic.JOURNAL), partition);
    decisions = new TopicPartition(topics.name(Topic.DECISION), partition);
    consumer = CommittedRecords.consumer(Map.of("bootstrap.servers", bootstrap), WhenGone.EARLIEST);
    consumer.assign(List.of(journal, decisions));
    consumer.seekToBeginning(List.of(journal, decisions));
    thread = new Thread(this::follow, "chronicle");
    thread.setDaemon(true);
  }

  /** Reads on in a thread of its own until closed. */
  public void start() {
    thread.start();
  }

  private void follow() {
    try (consumer) {
      while (!stopped.get()) {
        poll();
      }
    }
  }

  private void poll() {
    for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL)) {
      try {
        if (record.topic().equals(journal.topic())) {
          listener.entry(codec.decode(record.value(), JournalEntry.class));
        } else {
          listener.decision(codec.decode(record.value(), DecisionRecord.class));
        }
      } catch (InvalidRecordException e) {
        throw new IllegalStateException(
            "expected a journal entry or decision at "
                + record.topic()
                + "-"
                + record.partition()
                + "@"
                + record.offset(),
            e);
      }
    }
  }

  @Override
  public void close() {
    stopped.set(true);
    if (!thread.isAlive()) {
      consumer.close();
      return;
    }
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
