package io.turnkeeper.bench;

import io.turnkeeper.events.Topic;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.GroupIdNotFoundException;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Demand of many tables, from the first record sent to the last one committed: by the scheduler, or
 * by a topology of its shape without rules.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Fork(
    value = 1,
    jvmArgsAppend = {"-Xmx2g", "--add-opens=java.base/java.nio=ALL-UNNAMED"})
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 8, time = 1)
public class ThroughputBenchmark {
  private static final int TABLES = 1_000;
  private static final int EVENTS = 50_000;

  /** What takes the demand. */
  public enum Taker {
    SCHEDULER,
    BARE
  }

  @Param public Taker taker = Taker.SCHEDULER;

  private Cluster cluster;
  private AutoCloseable application;
  private long through;

  /** Starts broker and application. */
  @Setup(Level.Trial)
  public void start() throws Exception {
    cluster = new Cluster();
    application =
        taker == Taker.SCHEDULER
            ? SchedulerUnderTest.start(cluster)
            : BareTopology.start(cluster, SchedulerUnderTest.COMMIT_INTERVAL_MILLIS);
    for (int table = 0; table < TABLES; table++) {
      cluster.send(Inputs.registered(Inputs.table(table)));
    }
    awaitTaken();
  }

  /** Ends both. */
  @TearDown(Level.Trial)
  public void stop() throws Exception {
    application.close();
    cluster.close();
  }

  /** Counted in events. */
  @Benchmark
  @OperationsPerInvocation(EVENTS)
  public long demand() throws Exception {
    for (int event = 0; event < EVENTS; event++) {
      through += event % TABLES == 0 ? 1 : 0;
      cluster.send(
          Inputs.sealed(Inputs.table(event % TABLES), through, System.currentTimeMillis()));
    }
    awaitTaken();
    return through;
  }

  private void awaitTaken() throws Exception {
    cluster.awaitSent();
    TopicPartition input = new TopicPartition(cluster.topics.name(Topic.DEMAND), 0);
    long end =
        cluster
            .admin
            .listOffsets(Map.of(input, OffsetSpec.latest()))
            .partitionResult(input)
            .get()
            .offset();
    Cluster.await("all to be committed", () -> committed(input) >= end);
  }

  private long committed(TopicPartition input) {
    String group =
        taker == Taker.SCHEDULER ? SchedulerUnderTest.APPLICATION : BareTopology.APPLICATION;
    try {
      OffsetAndMetadata offset =
          cluster
              .admin
              .listConsumerGroupOffsets(group)
              .partitionsToOffsetAndMetadata()
              .get()
              .get(input);
      return offset == null ? 0 : offset.offset();
    } catch (ExecutionException e) {
      if (e.getCause() instanceof GroupIdNotFoundException) {
        return 0; // No member has joined yet.
      }
      throw new IllegalStateException("cannot find how far " + group + " is", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }
}
