package io.turnkeeper.streams;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.turnkeeper.core.partition.PartitionState;
import io.turnkeeper.core.table.TableSnapshot;
import io.turnkeeper.events.AuditReader;
import io.turnkeeper.events.InvalidRecordException;
import io.turnkeeper.events.JournalStep;
import io.turnkeeper.events.KafkaFailedException;
import io.turnkeeper.events.RecordCodec;
import io.turnkeeper.events.Topic;
import io.turnkeeper.events.Topics;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.function.Consumer;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/** History as it is in Kafka, and the states as readers and stores have them. */
public final class KafkaHistory implements History {
  private final SchedulerConfig config;
  private final RecordCodec codec;
  private final Topics topics;
  private final AuditReader reader;
  private final TableStateReader states;
  private final @Nullable Integer tablePartition;

  /** With a partition, only the steps of the tables in it. */
  public KafkaHistory(SchedulerConfig config, RecordCodec codec, @Nullable Integer tablePartition) {
    this.config = config;
    this.codec = codec;
    this.topics = config.topics();
    this.reader = new AuditReader(config.client(), topics, codec);
    this.states = new TableStateReader(config.client(), codec);
    this.tablePartition = tablePartition;
  }

  @Override
  public void tables(Consumer<JournalStep> into) throws InvalidRecordException {
    if (tablePartition == null) {
      reader.tables(into);
    } else {
      reader.tables(tablePartition, into);
    }
  }

  @Override
  public void pools(Consumer<JournalStep> into) throws InvalidRecordException {
    if (tablePartition == null) {
      reader.pools(into);
    }
  }

  @Override
  public List<KnownState> known() throws ConfigException {
    List<KnownState> known = new ArrayList<>();
    for (int partition = 0; partition < topics.tablePartitions(); partition++) {
      if (tablePartition == null || tablePartition == partition) {
        addShown(partition, known);
      }
    }
    addStores(Nodes.TABLE_STORE, new TableSubject(), topics.tablePartitions(), known);
    if (tablePartition == null) {
      addStores(Nodes.POOL_STORE, new PoolSubject(), topics.poolPartitions(), known);
    }
    return known;
  }

  private void addShown(int partition, List<KnownState> into) {
    String topic = topics.name(Topic.TABLE_STATE);
    states
        .newest(new TopicPartition(topic, partition))
        .forEach(
            (key, value) -> {
              if (value instanceof TableSnapshot snapshot) {
                into.add(
                    new KnownState(
                        topic, false, partition, key, snapshot.sequence(), snapshot.digest()));
              }
            });
  }

  private <S> void addStores(
      String store, Subject<S> subject, int partitions, List<KnownState> into)
      throws ConfigException {
    String topic = config.applicationId() + "-" + store + "-changelog";
    try (Admin admin = Admin.create(config.client())) {
      if (!isThere(admin, topic)) {
        throw new ConfigException(
            "NO_STORES: expected the topic "
                + topic
                + ", from which stores are restored, but there is none; is --application-id that of"
                + " the scheduler, and did it run?");
      }
    }
    boolean pool = store.equals(Nodes.POOL_STORE);
    for (int partition = 0; partition < partitions; partition++) {
      if (pool || tablePartition == null || tablePartition == partition) {
        addStore(new TopicPartition(topic, partition), pool, subject.layout(), into);
      }
    }
  }

  /** A changelog is what a store is restored from, and ends with the store's own sequence. */
  private <S> void addStore(
      TopicPartition changelog, boolean pool, Layout<S> layout, List<KnownState> into) {
    SortedMap<String, byte[]> newest = states.newestBytes(changelog);
    byte[] own = newest.get(Nodes.PARTITION_KEY);
    if (own == null) {
      return;
    }
    SortedMap<String, String> digests = digests(layout, newest);
    PartitionState partition =
        PartitionLayout.joined(codec, own, newest.get(PartitionLayout.REST_KEY));
    digests.put(Nodes.PARTITION_KEY, Digests.sha256(codec.encode(partition)));
    digests.forEach(
        (key, digest) ->
            into.add(
                new KnownState(
                    changelog.topic(),
                    pool,
                    changelog.partition(),
                    key,
                    partition.sequence(),
                    digest)));
  }

  private <S> SortedMap<String, String> digests(
      Layout<S> layout, SortedMap<String, byte[]> newest) {
    Entries<S> entries = new Entries<>(layout, codec);
    newest.forEach((key, value) -> entries.add(key.getBytes(UTF_8), value));
    SortedMap<String, String> digests = new TreeMap<>();
    entries.joined().forEach((key, state) -> digests.put(key, Digests.sha256(codec.encode(state))));
    return digests;
  }

  private static boolean isThere(Admin admin, String topic) {
    try {
      return admin.listTopics().names().get().contains(topic);
    } catch (ExecutionException e) {
      throw new KafkaFailedException("cannot list the topics", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new KafkaFailedException("interrupted while listing the topics", e);
    }
  }

  @Override
  public void close() {
    reader.close();
  }
}
