package io.turnkeeper.bench;

import io.turnkeeper.authority.Authority;
import io.turnkeeper.authority.Deadline;
import io.turnkeeper.authority.TakeOutcome;
import io.turnkeeper.core.Attempt;
import io.turnkeeper.core.ExecutorId;
import io.turnkeeper.core.TableId;
import io.turnkeeper.core.UnitId;
import io.turnkeeper.worker.authority.EtcdAuthority;
import io.turnkeeper.worker.authority.EtcdSettings;
import io.turnkeeper.worker.fence.Fence;
import io.turnkeeper.worker.fence.FencedTable;
import io.turnkeeper.worker.fence.OpenOutcome;
import io.turnkeeper.worker.fence.PublishOutcome;
import io.turnkeeper.worker.fence.Registration;
import io.turnkeeper.worker.fence.RegistrationOutcome;
import java.time.Duration;
import java.util.List;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.lance.CommitBuilder;
import org.lance.Dataset;
import org.lance.FragmentMetadata;
import org.lance.Transaction;
import org.lance.operation.Append;
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

/** The commit of an append, fenced by etcd or only synced; each thread has a table of its own. */
@BenchmarkMode(Mode.SampleTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Fork(
    value = 1,
    jvmArgsAppend = {"-Xmx1g", "--add-opens=java.base/java.nio=ALL-UNNAMED"})
@Warmup(iterations = 2, time = 5)
@Measurement(iterations = 5, time = 5)
public class CommitBenchmark {
  private static final Duration PATIENCE = Duration.ofMinutes(5);

  /** One etcd for all tables. */
  @State(Scope.Benchmark)
  public static class Etcd {
    private EtcdServer server;
    private Authority authority;

    /** Starts it. */
    @Setup(Level.Trial)
    public void start() throws Exception {
      server = new EtcdServer();
      authority = EtcdAuthority.connect(EtcdSettings.of(server.endpoint));
    }

    /** Ends it. */
    @TearDown(Level.Trial)
    public void stop() throws Exception {
      authority.close();
      server.close();
    }
  }

  /** A table under a held turn, anew for each iteration, since manifests grow with commits. */
  @State(Scope.Thread)
  public static class Fenced {
    private BenchTable files;
    private FencedTable table;
    private List<FragmentMetadata> fragment;

    /** Registers the table and takes its turn. */
    @Setup(Level.Iteration)
    public void open(Etcd etcd) throws Exception {
      files = new BenchTable(0, 0);
      fragment = files.fragment(0, 1);
      TableId id = new TableId(UUID.randomUUID().toString());
      RegistrationOutcome adopted =
          new Registration(etcd.authority, files.allocator)
              .adopt(id, files.uri(), Deadline.after(PATIENCE));
      Attempt attempt = new Attempt(new UnitId(id, 1), 1, new ExecutorId("bench"), 1);
      TakeOutcome taken =
          etcd.authority.take(attempt, 1, Duration.ofSeconds(30), Deadline.after(PATIENCE));
      if (!(adopted instanceof RegistrationOutcome.Registered registered)
          || !(taken instanceof TakeOutcome.Taken turn)) {
        throw new IllegalStateException("expected a turn, but " + adopted + " and " + taken);
      }
      OpenOutcome<FencedTable> opened =
          new Fence(etcd.authority)
              .open(
                  turn.held(), registered.head().uri(), files.allocator, Deadline.after(PATIENCE));
      if (!(opened instanceof OpenOutcome.Opened<FencedTable> one)) {
        throw new IllegalStateException("expected to open the table, but " + opened);
      }
      table = one.table();
    }

    /** Removes the table. The turn ends with etcd, which other threads may have ended already. */
    @TearDown(Level.Iteration)
    public void close() throws Exception {
      table.close();
      files.close();
    }
  }

  /** A table whose versions a namespace manages that asks nobody. */
  @State(Scope.Thread)
  public static class Managed {
    private BenchTable files;
    private OneSyncNamespace namespace;
    private Dataset dataset;
    private List<FragmentMetadata> fragment;

    /** Opens the table. */
    @Setup(Level.Iteration)
    public void open() throws Exception {
      files = new BenchTable(0, 0);
      fragment = files.fragment(0, 1);
      namespace = new OneSyncNamespace(files.directory.resolve("table"), 1);
      dataset =
          Dataset.open()
              .allocator(files.allocator)
              .namespaceClient(namespace)
              .tableId(OneSyncNamespace.TABLE)
              .build();
    }

    /** Removes the table. */
    @TearDown(Level.Iteration)
    public void close() throws Exception {
      dataset.close();
      files.close();
    }
  }

  /** Through the fence: the manifest kept and synced, the turn compared in etcd, then visible. */
  @Benchmark
  public PublishOutcome fenced(Fenced state) {
    PublishOutcome outcome =
        state.table.commit(
            state.table.dataset().version(),
            Append.builder().fragments(state.fragment).build(),
            new TreeMap<>(),
            false);
    if (!(outcome instanceof PublishOutcome.Published)) {
      throw new IllegalStateException("expected a commit, but " + outcome);
    }
    return outcome;
  }

  /** Written and synced once, and nobody asked. */
  @Benchmark
  public long managed(Managed state) {
    try (Transaction append =
        new Transaction.Builder()
            .readVersion(state.dataset.version())
            .operation(Append.builder().fragments(state.fragment).build())
            .build()) {
      Dataset next =
          new CommitBuilder(state.dataset)
              .namespaceClient(state.namespace)
              .tableId(OneSyncNamespace.TABLE)
              .namespaceClientManagedVersioning(true)
              .maxRetries(1)
              .skipAutoCleanup(true)
              .execute(append);
      state.dataset.close();
      state.dataset = next;
      return next.version();
    }
  }
}
