package io.turnkeeper.events;

import io.turnkeeper.core.TableId;
import io.turnkeeper.events.CommittedRecords.WhenGone;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListOffsetsOptions;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.TopicPartition;

/**
 * Reads the journal and its decisions from the beginning to where they end now, or on and on,
 * partition after partition, each entry with its decisions. For one thread.
 */
public final class AuditReader implements AutoCloseable {
  private final KafkaConsumer<byte[], byte[]> consumer;
  private final Admin admin;
  private final Topics topics;
  private final RecordCodec codec;

  /**
   * Connects with the settings of a client, for example {@code bootstrap.servers}. It joins no
   * group and commits nothing.
   */
  public AuditReader(Map<String, ?> clientSettings, Topics topics, RecordCodec codec) {
    this.consumer = CommittedRecords.consumer(clientSettings, WhenGone.NONE);
    this.admin = Admin.create(new HashMap<String, Object>(clientSettings));
    this.topics = topics;
    this.codec = codec;
  }

  /**
   * Gives every step of the tables' journal to {@code into}.
   *
   * @throws InvalidRecordException naming topic, partition and offset of what is no journal entry
   *     or decision
   */
  public void tables(Consumer<JournalStep> into) throws InvalidRecordException {
    readAll(Topic.JOURNAL, Topic.DECISION, into);
  }

  /** Gives every step of the pools' journal to {@code into}; see {@link #tables}. */
  public void pools(Consumer<JournalStep> into) throws InvalidRecordException {
    readAll(Topic.POOL_JOURNAL, Topic.POOL_DECISION, into);
  }

  /** The steps about one table, from its partition; see {@link #tables}. */
  public List<JournalStep> table(TableId table) throws InvalidRecordException {
    List<JournalStep> steps = new ArrayList<>();
    int partition = Topics.partitionOf(Topics.utf8(table.value()), topics.tablePartitions());
    read(
        Topic.JOURNAL,
        Topic.DECISION,
        partition,
        step -> {
          if (step.isAbout(table)) {
            steps.add(step);
          }
        });
    return steps;
  }

  /** The steps of one partition of the tables' journal; see {@link #tables}. */
  public void tables(int partition, Consumer<JournalStep> into) throws InvalidRecordException {
    read(Topic.JOURNAL, Topic.DECISION, partition, into);
  }

  /**
   * The steps about one table, those that are there and those to come, until told to stop.
   *
   * @throws InvalidRecordException naming topic, partition and offset of what is no journal entry
   *     or decision
   */
  public void follow(TableId table, Consumer<JournalStep> into, BooleanSupplier stopped)
      throws InvalidRecordException {
    int partition = Topics.partitionOf(Topics.utf8(table.value()), topics.tablePartitions());
    PartitionReading reading =
        reading(
            Topic.JOURNAL,
            Topic.DECISION,
            partition,
            step -> {
              if (step.isAbout(table)) {
                into.accept(step);
              }
            });
    reading.run();
    reading.follow(stopped);
  }

  private void readAll(Topic journal, Topic decisions, Consumer<JournalStep> into)
      throws InvalidRecordException {
    for (int partition = 0; partition < topics.partitions(journal); partition++) {
      read(journal, decisions, partition, into);
    }
  }

  private void read(Topic journal, Topic decisions, int partition, Consumer<JournalStep> into)
      throws InvalidRecordException {
    reading(journal, decisions, partition, into).run();
  }

  private PartitionReading reading(
      Topic journal, Topic decisions, int partition, Consumer<JournalStep> into) {
    return new PartitionReading(
        consumer,
        codec,
        this::written,
        topics.name(journal),
        topics.name(decisions),
        partition,
        into);
  }

  private long written(TopicPartition partition) {
    return Answers.of(
            admin
                .listOffsets(
                    Map.of(partition, OffsetSpec.latest()),
                    new ListOffsetsOptions(IsolationLevel.READ_UNCOMMITTED))
                .partitionResult(partition))
        .offset();
  }

  @Override
  public void close() {
    consumer.close();
    admin.close();
  }
}
