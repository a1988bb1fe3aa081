package io.turnkeeper.bench;

import io.turnkeeper.core.TableId;
import io.turnkeeper.core.partition.JournalEntry;
import io.turnkeeper.core.policy.PolicyDocument;
import io.turnkeeper.core.table.Assignment.GrantTurn;
import io.turnkeeper.core.table.Assignment.RunUnit;
import io.turnkeeper.core.table.PolicyEvent.PolicySet;
import io.turnkeeper.events.Topic;
import io.turnkeeper.streams.Scheduler;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.streams.KafkaStreams;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/** From an event sent to what follows from it visible to a reader of committed records. */
@BenchmarkMode(Mode.SampleTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Fork(
    value = 1,
    jvmArgsAppend = {"-Xmx2g", "--add-opens=java.base/java.nio=ALL-UNNAMED"})
@Warmup(iterations = 1, time = 20)
@Measurement(iterations = 1, time = 40)
public class LatencyBenchmark {
  /** One exactly-once hop without rules: read, write, commit at the scheduler's interval. */
  @State(Scope.Benchmark)
  public static class Bare {
    private Cluster cluster;
    private KafkaStreams streams;
    private KafkaConsumer<byte[], byte[]> entries;
    private long through;

    /** Starts broker and application. */
    @Setup(Level.Trial)
    public void start() throws Exception {
      cluster = new Cluster();
      streams = BareTopology.start(cluster, SchedulerUnderTest.COMMIT_INTERVAL_MILLIS);
      entries = cluster.readerOf(cluster.topics.name(Topic.JOURNAL), 1);
      hop();
    }

    long hop() {
      through++;
      cluster.send(Inputs.sealed(Inputs.table(0), through, System.currentTimeMillis()));
      return cluster.next(entries, JournalEntry.class).sequence();
    }

    /** Ends both. */
    @TearDown(Level.Trial)
    public void stop() {
      entries.close();
      streams.close(Duration.ofSeconds(10));
      cluster.close();
    }
  }

  /** A scheduler with one table whose every generation is merged. */
  @State(Scope.Benchmark)
  public static class Merging {
    private static final TableId TABLE = Inputs.table(0);

    private final MergeWorker worker = new MergeWorker();
    private Cluster cluster;
    private Scheduler scheduler;
    private KafkaConsumer<byte[], byte[]> orders;
    private long through;

    /** Starts broker and scheduler. */
    @Setup(Level.Trial)
    public void start() throws Exception {
      cluster = new Cluster();
      scheduler = SchedulerUnderTest.start(cluster);
      orders =
          cluster.readerOf(
              cluster.topics.name(Topic.ASSIGNMENT), cluster.topics.partitions(Topic.ASSIGNMENT));
      cluster.send(new PolicySet(TABLE, mergeAtOnce(), "bench", "bench"));
      cluster.send(Inputs.heartbeat());
      cluster.send(Inputs.registered(TABLE));
      RunUnit first = demand();
      claim(first);
      publish(ready(first));
    }

    private static PolicyDocument mergeAtOnce() {
      return PolicyDocument.of(draft -> draft.mergeMinGenerations = 1L);
    }

    /** Three hops: the table asks for a place, the pool gives it, the table assigns. */
    RunUnit demand() {
      through++;
      cluster.send(Inputs.sealed(TABLE, through, System.currentTimeMillis()));
      return cluster.next(orders, RunUnit.class);
    }

    void claim(RunUnit order) {
      cluster.send(worker.claim(order));
      cluster.awaitSent();
    }

    /** One hop. */
    GrantTurn ready(RunUnit order) {
      cluster.send(MergeWorker.ready(order.attempt()));
      return cluster.next(orders, GrantTurn.class);
    }

    void publish(GrantTurn turn) {
      worker.publish(turn).forEach(cluster::send);
      cluster.awaitSent();
    }

    /** Ends both. */
    @TearDown(Level.Trial)
    public void stop() {
      orders.close();
      scheduler.close();
      cluster.close();
    }
  }

  /** A unit that was assigned and claimed. */
  @State(Scope.Benchmark)
  public static class Claimed extends Merging {
    private RunUnit order;
    private @Nullable GrantTurn turn;

    /** Another unit. */
    @Setup(Level.Invocation)
    public void claim() {
      order = demand();
      claim(order);
    }

    /** It is published, so that the next can come. */
    @TearDown(Level.Invocation)
    public void publish() {
      publish(Objects.requireNonNull(turn));
    }
  }

  /** A table that waits for nothing. */
  @State(Scope.Benchmark)
  public static class Idle extends Merging {
    private @Nullable RunUnit order;

    /** The unit is published, so that the next can come. */
    @TearDown(Level.Invocation)
    public void publish() {
      RunUnit assigned = Objects.requireNonNull(order);
      claim(assigned);
      publish(ready(assigned));
    }
  }

  /** What the others are compared with. */
  @Benchmark
  public long bareHop(Bare bare) {
    return bare.hop();
  }

  /** A preparation is ready until its turn is granted. */
  @Benchmark
  public GrantTurn readyToGrant(Claimed unit) {
    GrantTurn turn = unit.ready(unit.order);
    unit.turn = turn;
    return turn;
  }

  /** A generation is sealed until its merge is assigned. */
  @Benchmark
  public RunUnit demandToAssignment(Idle table) {
    RunUnit order = table.demand();
    table.order = order;
    return order;
  }
}
