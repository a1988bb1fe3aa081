package io.turnkeeper.streams;

import io.turnkeeper.core.pool.PoolState;
import io.turnkeeper.events.RecordCodec;
import io.turnkeeper.events.Topic;
import io.turnkeeper.events.Topics;
import java.time.Duration;
import java.util.List;
import java.util.Properties;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.errors.FencedInstanceIdException;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.StoreQueryParameters;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.errors.InvalidStateStoreException;
import org.apache.kafka.streams.errors.StreamsException;
import org.apache.kafka.streams.errors.StreamsUncaughtExceptionHandler.StreamThreadExceptionResponse;
import org.apache.kafka.streams.processor.WallclockTimestampExtractor;
import org.apache.kafka.streams.state.HostInfo;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.QueryableStoreTypes;
import org.apache.kafka.streams.state.ReadOnlyKeyValueStore;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The scheduler as a running process part: the Streams application and its life cycle. */
final class SchedulerApp implements AutoCloseable {
  private static final Logger LOGGER = LoggerFactory.getLogger(SchedulerApp.class);

  /** A takeover by another instance waits this long; a restart of the same one does not. */
  private static final int SESSION_MILLIS = 6_000;

  private static final int HEARTBEAT_MILLIS = 2_000;

  /** With a second instance, one more copy of each store is kept up with its journal. */
  private static final int STANDBYS = 1;

  /**
   * An instance that could not be given its share, because the ends of the changelogs were not to
   * be had at that moment, is looked at again after this long: the least that Kafka takes.
   */
  private static final long SHARE_AGAIN_MILLIS = 60_000;

  /** A preparation may not hold a transaction open: entries are small and many. */
  private static final int TRANSACTION_MILLIS = 10_000;

  /**
   * A transaction that begins while the one before it is still being completed is refused by the
   * broker and tried again; by default after 100 ms, which a grant would wait.
   */
  private static final long RETRY_MILLIS = 5;

  /** A whole state with its key and headers: 8 MiB and some. */
  private static final int MAX_REQUEST_BYTES = 9 << 20;

  /** How long stopping may take. */
  static final Duration STOP_LIMIT = Duration.ofSeconds(5);

  private final RecordCodec codec = new RecordCodec();
  private final SchedulerConfig config;
  private final JournalEnds ends;
  private final Admin admin;
  private final KafkaStreams streams;
  private final LiveStores stores;
  private volatile @Nullable RebuildNeededException behind;
  private volatile @Nullable String refusal;
  private volatile boolean closing;

  /** Builds the application; nothing runs before {@link #start()}. */
  SchedulerApp(SchedulerConfig config) {
    this.config = config;
    Topics topics = config.topics();
    ends = new JournalEnds(config.client(), codec);
    admin = Admin.create(config.client());
    SchedulerGroup group = new SchedulerGroup(admin, config);
    String poolJournal = topics.name(Topic.POOL_JOURNAL);
    OpenStores tables = new OpenStores();
    OpenStores pools = new OpenStores();
    streams =
        onOwnStateDir(
            SchedulerTopology.build(
                topics,
                codec,
                config.settings(),
                System::nanoTime,
                new Half(
                    new HistoryCheck(
                        ends, topics.name(Topic.JOURNAL), topics.name(Topic.TABLE_STATE)),
                    inputs(group, SchedulerTopology.TABLE_INPUTS),
                    tables),
                new Half(
                    new HistoryCheck(ends, poolJournal, poolJournal),
                    inputs(group, SchedulerTopology.POOL_INPUTS),
                    pools)));
    stores = new LiveStores(streams, topics, codec, tables, pools);
    streams.setUncaughtExceptionHandler(this::afterFailure);
  }

  /** Kafka Streams locks its directory when it is made, and not only when it starts. */
  private KafkaStreams onOwnStateDir(Topology topology) {
    try {
      return new KafkaStreams(topology, properties(config));
    } catch (StreamsException e) {
      ends.close();
      admin.close();
      throw notOwn(e);
    }
  }

  private IllegalStateException notOwn(StreamsException e) {
    return new IllegalStateException(
        "cannot use state.dir " + config.stateDir() + "; does another scheduler run on it?", e);
  }

  private InputLog inputs(SchedulerGroup group, List<Topic> of) {
    return new KafkaInputLog(admin, group, SchedulerTopology.names(config.topics(), of));
  }

  private StreamThreadExceptionResponse afterFailure(Throwable failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof RebuildNeededException needed) {
        behind = needed;
        LOGGER.atWarn().log(needed.getMessage());
        return StreamThreadExceptionResponse.SHUTDOWN_CLIENT;
      }
    }
    if (failure.getCause() instanceof FencedInstanceIdException
        || failure instanceof FencedInstanceIdException) {
      LOGGER.error("fenced by another instance of the same instance.id", failure);
      refusal =
          "another scheduler was started with instance.id "
              + config.instanceId()
              + " and has taken over; every instance needs its own";
      return StreamThreadExceptionResponse.SHUTDOWN_CLIENT;
    }
    if (closing) {
      LOGGER.debug("a stream thread was waiting for the brokers", failure);
      return StreamThreadExceptionResponse.SHUTDOWN_CLIENT;
    }
    LOGGER.error("a stream thread died and is replaced", failure);
    return StreamThreadExceptionResponse.REPLACE_THREAD;
  }

  /** The Streams settings that follow from a configuration. */
  static Properties properties(SchedulerConfig config) {
    Properties p = new Properties();
    p.put(StreamsConfig.NUM_STANDBY_REPLICAS_CONFIG, STANDBYS);
    p.putAll(config.kafka());
    HostInfo advertised = config.sharing().advertised();
    if (advertised != null) {
      p.put(StreamsConfig.APPLICATION_SERVER_CONFIG, advertised.host() + ":" + advertised.port());
    }
    p.put(StreamsConfig.GROUP_PROTOCOL_CONFIG, config.sharing().protocol().setting());
    p.put(StreamsConfig.APPLICATION_ID_CONFIG, config.applicationId());
    p.put(StreamsConfig.BOOTSTRAP_SERVERS_CONFIG, config.bootstrapServers());
    p.put(StreamsConfig.STATE_DIR_CONFIG, config.stateDir().toString());
    p.put(StreamsConfig.PROCESSING_GUARANTEE_CONFIG, StreamsConfig.EXACTLY_ONCE_V2);
    p.put("enable.transactional.statestores", "true");
    p.put(StreamsConfig.COMMIT_INTERVAL_MS_CONFIG, config.commitIntervalMillis());
    p.put(StreamsConfig.POLL_MS_CONFIG, Math.min(100, config.commitIntervalMillis()));
    p.put(StreamsConfig.MAX_TASK_IDLE_MS_CONFIG, -1L);
    p.put(StreamsConfig.REPLICATION_FACTOR_CONFIG, (int) config.replicationFactor());
    p.put(
        StreamsConfig.DEFAULT_TIMESTAMP_EXTRACTOR_CLASS_CONFIG, WallclockTimestampExtractor.class);
    if (config.sharing().protocol() == Sharing.Protocol.CLASSIC) {
      putMembership(p, config.instanceId());
      p.put(StreamsConfig.PROBING_REBALANCE_INTERVAL_MS_CONFIG, SHARE_AGAIN_MILLIS);
    }
    p.put(StreamsConfig.consumerPrefix(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG), "earliest");
    p.put(StreamsConfig.producerPrefix("transaction.timeout.ms"), TRANSACTION_MILLIS);
    p.put(StreamsConfig.producerPrefix("max.request.size"), MAX_REQUEST_BYTES);
    p.put(StreamsConfig.producerPrefix(ProducerConfig.RETRY_BACKOFF_MS_CONFIG), RETRY_MILLIS);
    p.put(StreamsConfig.topicPrefix("max.message.bytes"), MAX_REQUEST_BYTES);
    return p;
  }

  /** The other protocol has these at the brokers. */
  private static void putMembership(Properties p, String instanceId) {
    p.put(StreamsConfig.consumerPrefix(ConsumerConfig.GROUP_INSTANCE_ID_CONFIG), instanceId);
    p.put(StreamsConfig.consumerPrefix(ConsumerConfig.SESSION_TIMEOUT_MS_CONFIG), SESSION_MILLIS);
    p.put(
        StreamsConfig.consumerPrefix(ConsumerConfig.HEARTBEAT_INTERVAL_MS_CONFIG),
        HEARTBEAT_MILLIS);
  }

  void start() {
    new SchedulerGroup(admin, config).joinAnewWithout(config.changelogs());
    try {
      streams.start();
    } catch (StreamsException e) {
      throw notOwn(e);
    }
  }

  /** Whether all tasks are running. */
  boolean running() {
    return streams.state() == KafkaStreams.State.RUNNING;
  }

  /** Whether the application has stopped for good and must be started anew. */
  boolean failed() {
    return streams.state() == KafkaStreams.State.ERROR;
  }

  /** Why the stores must be rebuilt before the application can run, null if they need not. */
  @Nullable RebuildNeededException behind() {
    return behind;
  }

  /** Why the application may not run, in words for its operator; null if it may. */
  @Nullable String refusal() {
    return refusal;
  }

  /** What its stores hold. */
  LiveStores stores() {
    return stores;
  }

  /** Whether at least one executor's heartbeat has been folded and it is not lost. */
  boolean hasExecutor() {
    if (!running()) {
      return false;
    }
    try {
      ReadOnlyKeyValueStore<byte[], byte[]> pools =
          streams.store(
              StoreQueryParameters.fromNameAndType(
                  Nodes.POOL_STORE, QueryableStoreTypes.keyValueStore()));
      return anyExecutor(pools);
    } catch (InvalidStateStoreException notYet) {
      LOGGER.debug("the pool store is not readable yet", notYet);
      return false;
    }
  }

  private boolean anyExecutor(ReadOnlyKeyValueStore<byte[], byte[]> pools) {
    Entries<PoolState> entries = new Entries<>(new PoolLayout(), codec);
    try (KeyValueIterator<byte[], byte[]> all = pools.all()) {
      all.forEachRemaining(entry -> entries.add(entry.key, entry.value));
    }
    return entries.joined().values().stream()
        .flatMap(pool -> pool.executors().values().stream())
        .anyMatch(executor -> !executor.lost());
  }

  @Override
  public void close() {
    close(STOP_LIMIT);
  }

  /** Stops within {@code limit}; what is not committed is read again at the next start. */
  void close(Duration limit) {
    closing = true;
    streams.close(Duration.ZERO);
    // A task at its start may wait for the brokers for a minute.
    ends.close();
    admin.close(Duration.ZERO);
    if (!streams.close(limit)) {
      LOGGER.warn("the stream threads did not stop within {}", limit);
    }
  }
}
