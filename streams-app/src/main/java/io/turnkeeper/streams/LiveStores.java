package io.turnkeeper.streams;

import io.turnkeeper.core.PoolId;
import io.turnkeeper.core.TableId;
import io.turnkeeper.core.pool.PoolState;
import io.turnkeeper.core.table.TableState;
import io.turnkeeper.events.RecordCodec;
import io.turnkeeper.events.Topics;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.function.Function;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.KeyQueryMetadata;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.StreamsMetadata;
import org.apache.kafka.streams.errors.InvalidStateStoreException;
import org.apache.kafka.streams.query.KeyQuery;
import org.apache.kafka.streams.query.Query;
import org.apache.kafka.streams.query.QueryResult;
import org.apache.kafka.streams.query.RangeQuery;
import org.apache.kafka.streams.query.StateQueryRequest;
import org.apache.kafka.streams.state.HostInfo;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.jspecify.annotations.Nullable;

/** What the running scheduler's stores hold, as far as it is committed, and who has the rest. */
public final class LiveStores {
  /** Changing hands takes milliseconds; whoever reads may come again. */
  private static final long LOCK_MILLIS = 1_000;

  /** A partition commits some forty times a second, a look takes microseconds. */
  private static final int MAX_LOOKS = 100;

  private final KafkaStreams streams;
  private final Topics topics;
  private final RecordCodec codec;
  private final OpenStores tables;
  private final OpenStores pools;

  LiveStores(
      KafkaStreams streams, Topics topics, RecordCodec codec, OpenStores tables, OpenStores pools) {
    this.streams = streams;
    this.topics = topics;
    this.codec = codec;
    this.tables = tables;
    this.pools = pools;
  }

  /** Several states as they were at one moment each, and the partitions they are of. */
  public record Part(Set<Integer> partitions, List<TableState> tables) {
    public Part {
      partitions = Set.copyOf(partitions);
      tables = List.copyOf(tables);
    }
  }

  /** How the scheduler is doing, in Kafka Streams' words. */
  public String status() {
    return streams.state().name();
  }

  /** Whether it decides on all it was given. */
  public boolean isRunning() {
    return streams.state() == KafkaStreams.State.RUNNING;
  }

  /** Whether it was started and has not stopped; partitions may be changing hands. */
  public boolean isAlive() {
    return streams.state().isRunningOrRebalancing();
  }

  /** The partitions of the tables, or of the pools, that are decided on here. */
  public SortedSet<Integer> partitions(boolean ofPools) {
    return (ofPools ? pools : tables).partitions();
  }

  /** How many partitions the tables have on all instances together. */
  public int tablePartitions() {
    return topics.tablePartitions();
  }

  /**
   * A table, null if nothing was ever said about it.
   *
   * @throws NotHereException if its partition is not read here
   */
  public @Nullable LiveTable table(TableId table) throws NotHereException {
    byte[] key = Topics.utf8(table.value());
    int partition = Topics.partitionOf(key, topics.tablePartitions());
    return tables.read(
        LOCK_MILLIS,
        open -> {
          requireOpen(partition, open);
          return table(partition, key);
        });
  }

  /** The table and its partition's own state are of one commit if no other came in between. */
  private @Nullable LiveTable table(int partition, byte[] key) throws NotHereException {
    byte[] partitionKey = Topics.utf8(Nodes.PARTITION_KEY);
    byte[] before = get(Nodes.TABLE_STORE, partition, partitionKey);
    for (int i = 0; i < MAX_LOOKS; i++) {
      byte[] table = get(Nodes.TABLE_STORE, partition, key);
      byte[] rest = get(Nodes.TABLE_STORE, partition, Topics.utf8(PartitionLayout.REST_KEY));
      byte[] after = get(Nodes.TABLE_STORE, partition, partitionKey);
      if (Arrays.equals(before, after)) {
        return table == null || after == null
            ? null
            : LiveTable.of(
                partition,
                PartitionLayout.joined(codec, after, rest),
                Entries.decoded(codec, table, TableState.class),
                table);
      }
      before = after;
    }
    throw new NotHereException("partition " + partition + " changes faster than it can be read");
  }

  /**
   * A pool, null if nothing was ever said about it.
   *
   * @throws NotHereException if its partition is not read here
   */
  public @Nullable PoolState pool(PoolId pool) throws NotHereException {
    byte[] key = Topics.utf8(pool.value());
    int partition = Topics.partitionOf(key, topics.poolPartitions());
    Entries<PoolState> entries = new Entries<>(new PoolLayout(), codec);
    pools.read(
        LOCK_MILLIS,
        open -> {
          requireOpen(partition, open);
          return readPool(partition, pool.value(), entries);
        });
    return entries.joined().get(pool.value());
  }

  private Entries<PoolState> readPool(int partition, String pool, Entries<PoolState> into)
      throws NotHereException {
    RangeQuery<byte[], byte[]> query = RangeQuery.withRange(Entries.first(pool), Entries.end(pool));
    try (KeyValueIterator<byte[], byte[]> all =
        Objects.requireNonNull(answer(Nodes.POOL_STORE, partition, query))) {
      all.forEachRemaining(entry -> into.add(entry.key, entry.value));
    }
    return into;
  }

  /**
   * The first tables that are here, by the bytes of their names.
   *
   * @param after only tables behind this name; null for all
   * @param limit how many at most of each partition
   */
  public Part tables(@Nullable String after, int limit) throws NotHereException {
    List<byte[]> found = new ArrayList<>();
    Set<Integer> partitions = new HashSet<>();
    tables.read(
        LOCK_MILLIS,
        open -> {
          for (int partition : open) {
            found.addAll(first(partition, after, limit));
            partitions.add(partition);
          }
          return partitions;
        });
    return new Part(
        partitions,
        found.stream().map(bytes -> Entries.decoded(codec, bytes, TableState.class)).toList());
  }

  private List<byte[]> first(int partition, @Nullable String after, int limit)
      throws NotHereException {
    byte[] from = after == null ? null : Topics.utf8(after);
    RangeQuery<byte[], byte[]> query =
        from == null ? RangeQuery.withNoBounds() : RangeQuery.withLowerBound(from);
    List<byte[]> first = new ArrayList<>();
    try (KeyValueIterator<byte[], byte[]> all =
        Objects.requireNonNull(answer(Nodes.TABLE_STORE, partition, query))) {
      while (all.hasNext() && first.size() < limit) {
        KeyValue<byte[], byte[]> next = all.next();
        if (!Arrays.equals(next.key, from) && !Entries.isOfPartition(next.key)) {
          first.add(next.value);
        }
      }
    }
    return first;
  }

  /** Who decides on a table, empty while nobody is known to. */
  public Optional<HostInfo> owner(TableId table) {
    return owner(Nodes.TABLE_STORE, table.value());
  }

  /** Who decides on a pool, empty while nobody is known to. */
  public Optional<HostInfo> owner(PoolId pool) {
    return owner(Nodes.POOL_STORE, pool.value());
  }

  private Optional<HostInfo> owner(String store, String key) {
    KeyQueryMetadata known =
        known(
            all -> all.queryMetadataForKey(store, Topics.utf8(key), new ByteArraySerializer()),
            KeyQueryMetadata.NOT_AVAILABLE);
    return known == null
            || known.equals(KeyQueryMetadata.NOT_AVAILABLE)
            || known.activeHost().equals(HostInfo.unavailable())
        ? Optional.empty()
        : Optional.of(known.activeHost());
  }

  /** Every instance that is known to decide on tables. */
  public Set<HostInfo> owners() {
    Set<HostInfo> owners = new HashSet<>();
    Collection<StreamsMetadata> all =
        known(KafkaStreams::metadataForAllStreamsClients, List.<StreamsMetadata>of());
    for (StreamsMetadata one : all) {
      if (one.stateStoreNames().contains(Nodes.TABLE_STORE)) {
        owners.add(one.hostInfo());
      }
    }
    owners.remove(HostInfo.unavailable());
    return owners;
  }

  private <T> T known(Function<KafkaStreams, T> question, T otherwise) {
    try {
      return question.apply(streams);
    } catch (InvalidStateStoreException notStarted) {
      return otherwise;
    } catch (IllegalStateException e) {
      if (streams.state().isRunningOrRebalancing()) {
        throw e;
      }
      return otherwise; // It was stopped meanwhile.
    }
  }

  private static void requireOpen(int partition, SortedSet<Integer> open) throws NotHereException {
    if (!open.contains(partition)) {
      throw new NotHereException("partition " + partition + " is not decided on here");
    }
  }

  private byte @Nullable [] get(String store, int partition, byte[] key) throws NotHereException {
    // The cache in front of the store holds what is not committed.
    return answer(store, partition, KeyQuery.<byte[], byte[]>withKey(key).skipCache());
  }

  private <R> @Nullable R answer(String store, int partition, Query<R> query)
      throws NotHereException {
    try {
      QueryResult<R> result =
          Objects.requireNonNull(
              streams
                  .query(
                      StateQueryRequest.inStore(store)
                          .withQuery(query)
                          .withPartitions(Set.of(partition))
                          .withIsolationLevel(IsolationLevel.READ_COMMITTED))
                  .getPartitionResults()
                  .get(partition));
      if (result.isFailure()) {
        throw new NotHereException(result.getFailureMessage());
      }
      return result.getResult();
    } catch (InvalidStateStoreException e) {
      throw new NotHereException(String.valueOf(e.getMessage()), e);
    }
  }
}
