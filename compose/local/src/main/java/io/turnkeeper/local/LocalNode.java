package io.turnkeeper.local;

import io.turnkeeper.authority.AuthorityUnavailableException;
import io.turnkeeper.core.ExecutorId;
import io.turnkeeper.core.PoolId;
import io.turnkeeper.core.partition.Settings;
import io.turnkeeper.events.TopicProblem;
import io.turnkeeper.events.Topics;
import io.turnkeeper.streams.RebuildListener;
import io.turnkeeper.streams.RebuildMode;
import io.turnkeeper.streams.Scheduler;
import io.turnkeeper.streams.SchedulerConfig;
import io.turnkeeper.streams.Sharing;
import io.turnkeeper.streams.read.ReadEndpoint;
import io.turnkeeper.streams.read.ServerOptions;
import io.turnkeeper.worker.CrashSwitch;
import io.turnkeeper.worker.StepListener;
import io.turnkeeper.worker.Worker;
import io.turnkeeper.worker.WorkerConfig;
import io.turnkeeper.worker.authority.EtcdSettings;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.streams.state.HostInfo;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Broker, etcd, scheduler and worker of one data directory, started and stopped in order. */
public final class LocalNode implements AutoCloseable {
  private static final Logger LOGGER = LoggerFactory.getLogger(LocalNode.class);
  private static final Duration SERVING_TIMEOUT = Duration.ofSeconds(60);
  private static final Duration SCHEDULER_STOP = Duration.ofSeconds(3);
  private static final long COMMIT_INTERVAL_MILLIS = 25;
  private static final long PAUSE_MILLIS = 20;
  private static final Duration WATCH = Duration.ofMillis(200);

  /** A part that is stopped, for the log by its name. */
  private record Part(String name, AutoCloseable closeable) {}

  /** Looks whether a part goes on; fails with what ended it. */
  private interface Watch {
    void look() throws InterruptedException;
  }

  private final Deque<Part> started = new ArrayDeque<>();
  private final List<Watch> watches = new ArrayList<>();
  private final Topics topics = new Topics(Topics.DEFAULT_PREFIX);
  private final DataDir data;
  private final NodeOptions options;
  private final RebuildListener listener;
  private final Consumer<String> waitsFor;
  private final StepListener steps;
  private final String bootstrap;
  private final String etcd;
  private final HostInfo reads;

  private LocalNode(
      DataDir data,
      NodeOptions options,
      RebuildListener listener,
      Consumer<String> waitsFor,
      StepListener steps,
      String bootstrap,
      String etcd,
      HostInfo reads) {
    this.data = data;
    this.options = options;
    this.listener = listener;
    this.waitsFor = waitsFor;
    this.steps = steps;
    this.bootstrap = bootstrap;
    this.etcd = etcd;
    this.reads = reads;
  }

  /**
   * Starts everything on {@code data} and returns when it serves.
   *
   * @param listener told if the scheduler's stores must be rebuilt first
   * @param waitsFor told what is waited for, each time that this changes
   * @throws ConfigException if a port is in use or etcd is missing
   */
  public static LocalNode start(
      DataDir data, NodeOptions options, RebuildListener listener, Consumer<String> waitsFor)
      throws InterruptedException {
    return start(data, options, listener, waitsFor, CrashSwitch.fromSystemProperty());
  }

  /**
   * The same, and each step of the worker's units is heard.
   *
   * @param steps told of each step before the next one begins
   */
  public static LocalNode start(
      DataDir data,
      NodeOptions options,
      RebuildListener listener,
      Consumer<String> waitsFor,
      StepListener steps)
      throws InterruptedException {
    Ports ports = new Ports(data.ports());
    int kafkaPort = ports.choose("kafka", options.kafkaPort());
    int controllerPort = ports.choose("kafka-controller", Ports.ANY);
    int etcdPort = ports.choose("etcd", options.etcdPort());
    int peerPort = ports.choose("etcd-peer", Ports.ANY);
    int readPort = ports.choose(ServerOptions.PORT, options.readPort());
    ports.save();
    LocalNode node =
        new LocalNode(
            data,
            options,
            listener,
            waitsFor,
            steps,
            "127.0.0.1:" + kafkaPort,
            "http://127.0.0.1:" + etcdPort,
            new HostInfo("127.0.0.1", readPort));
    try {
      node.startAll(kafkaPort, controllerPort, etcdPort, peerPort);
      return node;
    } catch (InterruptedException | RuntimeException e) {
      node.close();
      throw e;
    }
  }

  private void startAll(int kafkaPort, int controllerPort, int etcdPort, int peerPort)
      throws InterruptedException {
    waitsFor.accept("etcd to begin");
    EtcdProcess etcdProcess =
        started(
            "etcd",
            EtcdProcess.start(
                EtcdBinary.find(System.getenv()),
                data.etcd(),
                data.logs().resolve("etcd.log"),
                etcdPort,
                peerPort));
    // etcd gets healthy while the broker starts.
    waitsFor.accept("the broker");
    started("broker", EmbeddedBroker.start(data.kafka(), kafkaPort, controllerPort));
    waitsFor.accept("the topics");
    createTopics();
    waitsFor.accept("the scheduler to begin");
    ReadEndpoint endpoint = started("reads", endpoint());
    Scheduler scheduler = new Scheduler(schedulerConfig(), RebuildMode.AUTO, listener);
    started("scheduler", () -> scheduler.close(SCHEDULER_STOP));
    endpoint.serve(scheduler);
    scheduler.start();
    waitsFor.accept("etcd to be healthy");
    etcdProcess.awaitHealthy();
    waitsFor.accept("the worker to begin");
    Worker worker = started("worker", new Worker(workerConfig(), steps));
    try {
      worker.start();
    } catch (AuthorityUnavailableException e) {
      throw new IllegalStateException("expected etcd to answer the worker, but it does not", e);
    }
    awaitServing(scheduler);
    watches.add(etcdProcess::requireRunning);
    watches.add(scheduler::rebuildIfBehind);
    watches.add(() -> worker.awaitEnd(WATCH));
    LOGGER.atInfo().log("serving {} ms after this process started", uptimeMillis());
  }

  private <T extends AutoCloseable> T started(String name, T part) {
    started.push(new Part(name, part));
    LOGGER.atInfo().log("{} started {} ms after this process", name, uptimeMillis());
    return part;
  }

  private ReadEndpoint endpoint() {
    try {
      return ReadEndpoint.bind(reads);
    } catch (IOException e) {
      throw new ConfigException("cannot listen for reads at " + reads + ": " + e, e);
    }
  }

  private static long uptimeMillis() {
    return ManagementFactory.getRuntimeMXBean().getUptime();
  }

  private void createTopics() {
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", bootstrap))) {
      topics.create(admin, (short) 1);
      List<TopicProblem> problems = topics.check(admin);
      if (!problems.isEmpty()) {
        throw new ConfigException(
            problems.stream().map(TopicProblem::toString).collect(Collectors.joining("\n")));
      }
    }
  }

  private SchedulerConfig schedulerConfig() {
    return new SchedulerConfig(
        bootstrap,
        topics.prefix(),
        "turnkeeper",
        data.instanceId(),
        data.streams(),
        topics.tablePartitions(),
        topics.poolPartitions(),
        (short) 1,
        COMMIT_INTERVAL_MILLIS,
        Map.of(),
        Sharing.DEFAULT.at(reads),
        Settings.DEFAULT);
  }

  private WorkerConfig workerConfig() {
    return new WorkerConfig(
        bootstrap,
        Map.of(),
        topics.prefix(),
        EtcdSettings.of(etcdUri()),
        new ExecutorId(data.instanceId()),
        new PoolId("default"),
        WorkerConfig.DEFAULT_SLOTS,
        WorkerConfig.DEFAULT_BYTES_TOTAL,
        options.targetRows(),
        WorkerConfig.DEFAULT_OBSERVE_TARGET_BYTES,
        WorkerConfig.DEFAULT_READY_CHILDREN);
  }

  private void awaitServing(Scheduler scheduler) throws InterruptedException {
    long deadline = System.nanoTime() + SERVING_TIMEOUT.toNanos();
    while (!scheduler.running() || !scheduler.hasExecutor()) {
      waitsFor.accept(
          scheduler.running()
              ? "the worker to be heard by the scheduler"
              : "the scheduler to take its partitions and restore their states");
      if (scheduler.rebuildIfBehind()) {
        deadline = System.nanoTime() + SERVING_TIMEOUT.toNanos(); // A rebuild takes what it takes.
      }
      if (System.nanoTime() > deadline) {
        throw new IllegalStateException(
            "expected the scheduler to serve within " + SERVING_TIMEOUT.toSeconds() + " s");
      }
      Thread.sleep(PAUSE_MILLIS);
    }
  }

  /**
   * Goes on until this thread is interrupted.
   *
   * @throws IllegalStateException if a part has ended; all should be closed then
   */
  public void watch() throws InterruptedException {
    while (true) {
      for (Watch watch : watches) {
        watch.look();
      }
    }
  }

  public String bootstrap() {
    return bootstrap;
  }

  /** Where the scheduler answers reads. */
  public String reads() {
    return "http://" + reads.host() + ":" + reads.port();
  }

  public String etcd() {
    return etcd;
  }

  public URI etcdUri() {
    return URI.create(etcd);
  }

  public Topics topics() {
    return topics;
  }

  public DataDir data() {
    return data;
  }

  /** Stops in the reverse order of the start; what fails to stop does not keep the rest. */
  @Override
  public void close() {
    // The interrupt that asked for the stop must not disturb it.
    boolean interrupted = Thread.interrupted();
    while (!started.isEmpty()) {
      Part part = started.pop();
      try {
        part.closeable().close();
      } catch (Exception e) {
        LOGGER.atError().setCause(e).log("cannot stop {}", part.name());
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
