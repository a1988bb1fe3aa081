package io.turnkeeper.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.openjdk.jmh.annotations.AuxCounters;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/** The resident memory of a worker that has nothing to do, as /proc shows it; Linux only. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SingleShotTime)
@Fork(1)
@Warmup(iterations = 0)
@Measurement(iterations = 1)
public class IdleWorkerBenchmark {
  private static final long SETTLE_SECONDS = 30;

  /** As the script {@code start} runs the program. */
  private static final List<String> OPTIONS =
      List.of(
          "--add-opens=java.base/java.nio=ALL-UNNAMED",
          "-Xms64m",
          "-Xmx512m",
          "-XX:MaxDirectMemorySize=256m",
          "-XX:+UseSerialGC",
          "-XX:TieredStopAtLevel=1",
          "-XX:ReservedCodeCacheSize=96m");

  private Cluster cluster;
  private EtcdServer etcd;
  private Process worker;

  /** In MiB; JMH adds up what several iterations say, so there is one. */
  @State(Scope.Thread)
  @AuxCounters(AuxCounters.Type.EVENTS)
  public static class Resident {
    /** The worker itself. */
    public long worker;

    /** The processes it keeps ready, all together. */
    public long ready;
  }

  /** Starts a broker, an etcd and the worker, and lets it come to rest. */
  @Setup(Level.Trial)
  public void start() throws Exception {
    cluster = new Cluster();
    etcd = new EtcdServer();
    Path config = cluster.directory.resolve("worker.properties");
    Files.writeString(
        config,
        "executor.id=idle\nbootstrap.servers=%s\netcd.endpoints=%s\ntopic.prefix=%s\n"
            .formatted(
                cluster.client().get("bootstrap.servers"), etcd.endpoint, cluster.topics.prefix()));
    worker =
        new ProcessBuilder(
                Stream.of(
                        List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString()),
                        OPTIONS,
                        List.of(
                            "-cp",
                            System.getProperty("java.class.path"),
                            WorkerProcess.class.getName(),
                            config.toString()))
                    .flatMap(List::stream)
                    .toList())
            .redirectErrorStream(true)
            .redirectOutput(cluster.directory.resolve("worker.log").toFile())
            .start();
    if (worker.waitFor(SETTLE_SECONDS, TimeUnit.SECONDS)) {
      throw new IllegalStateException(
          "expected a worker, but it said "
              + Files.readString(cluster.directory.resolve("worker.log")));
    }
  }

  /** Looks once. */
  @Benchmark
  public void idle(Resident resident) throws Exception {
    resident.worker = mebibytes(worker.toHandle());
    for (ProcessHandle child : worker.descendants().toList()) {
      resident.ready += mebibytes(child);
    }
    TimeUnit.SECONDS.sleep(1);
  }

  private static long mebibytes(ProcessHandle process) throws IOException {
    return Files.readAllLines(Path.of("/proc", Long.toString(process.pid()), "status")).stream()
        .filter(line -> line.startsWith("VmRSS:"))
        .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) / 1024)
        .sum();
  }

  /** Ends all. */
  @TearDown(Level.Trial)
  public void stop() throws Exception {
    worker.destroy();
    worker.waitFor();
    etcd.close();
    cluster.close();
  }
}
